//! Records runs of processes as traces.

mod attempt_text;
mod events;
mod load;
mod outline;
mod plan;
mod results;
mod run_recorder;
mod stored;
mod stored_attempt;
mod tool_calls;
mod trace_writer;
mod visit;

#[cfg(test)]
mod tests;

pub use load::load_trace;
pub use run_recorder::RunRecorder;
