//! Attacks of others: the banking and workspace suites of AgentDojo as processes of ours.
//!
//! Each pair of a task and an attack runs with a model that does the task, and obeys the attack as soon as it is shown
//! it: without protection, with a person who approves, and with arguments that have to stand in the user's request.

mod banking;
mod desk;
mod obedient;
mod pairs;
mod suites;
mod table;
#[cfg(test)]
mod tests;
mod workspace;

pub(crate) use table::print_table;
