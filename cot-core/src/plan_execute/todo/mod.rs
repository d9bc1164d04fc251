//! Todo lists.

mod item;
mod json;
mod line;
mod list;

#[cfg(test)]
mod tests;

pub use item::Todo;
pub use list::TodoList;
