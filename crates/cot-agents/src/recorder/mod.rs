//! Records runs of processes as traces.

mod failure_text;
mod run_recorder;
mod stored;
mod trace_writer;

#[cfg(test)]
mod tests;

pub use run_recorder::RunRecorder;
