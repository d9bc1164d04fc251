//! Rules about the graph of tasks.

mod ends;
mod groups;
mod loops;
pub(super) mod rules;
pub(super) mod ways;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
