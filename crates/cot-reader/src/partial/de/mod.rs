//! Reads what has come of an output into types made of [`Incoming`](crate::Incoming).

mod access;
#[expect(clippy::module_inception, reason = "the file of the function that the folder is about")]
pub(super) mod de;
mod deserializer;
mod not_yet;
mod part;

#[cfg(test)]
mod tests;
