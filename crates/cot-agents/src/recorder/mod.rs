//! Records runs of processes as traces.

mod answers;
mod events;
mod journal;
mod load;
mod outline;
mod plan;
mod replies;
mod results;
mod run_recorder;
mod stored;
mod tool_calls;
mod trace_writer;
mod visit;

#[cfg(test)]
mod tests;

pub use load::load_trace;
pub use run_recorder::RunRecorder;
