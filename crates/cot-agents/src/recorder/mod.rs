//! Records runs of processes as traces.

mod answers;
mod events;
mod outline;
mod plan;
mod results;
mod run_recorder;
mod stored;
mod tool_calls;
mod trace_writer;
mod visit;

#[cfg(test)]
mod tests;

pub use run_recorder::RunRecorder;
pub use stored::load_trace;
