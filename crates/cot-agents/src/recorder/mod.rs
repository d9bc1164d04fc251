//! Runs of processes, written as traces.

mod record;
mod run_recorder;
mod stored;
mod wording;

#[cfg(test)]
mod tests;

pub use run_recorder::RunRecorder;
