//! Where the tasks lead.

mod ends;
mod groups;
mod loops;
pub(super) mod rules;
pub(super) mod ways;

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
