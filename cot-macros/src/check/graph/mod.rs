//! Rules about the graph of tasks.

mod ends;
pub(super) mod groups;
mod loops;
pub(super) mod rules;
pub(super) mod task_graph;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
