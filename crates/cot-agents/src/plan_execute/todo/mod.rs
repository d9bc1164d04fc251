//! Todo lists.

mod item;
mod json;
mod line;
pub(crate) mod list;

#[cfg(test)]
mod tests;

pub use item::Todo;
pub use list::TodoList;
