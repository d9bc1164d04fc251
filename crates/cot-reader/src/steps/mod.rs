//! Parses reasoning: numbered steps and a conclusion.

mod conclusion;
mod decoration;
mod digits;
pub(crate) mod extract;
mod language;
mod marker;
mod marks;
pub(crate) mod reasoning;
pub(crate) mod step;
pub(crate) mod step_number;

#[cfg(test)]
mod property;
#[cfg(test)]
mod tests;
