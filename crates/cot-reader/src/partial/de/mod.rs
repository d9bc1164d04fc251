//! Deserializes incomplete outputs into types with [`Incoming`](crate::Incoming) fields.

mod access;
#[expect(clippy::module_inception, reason = "the file of the function that the folder is about")]
pub(super) mod de;
mod deserializer;
mod not_yet;
mod part;

#[cfg(test)]
mod tests;
