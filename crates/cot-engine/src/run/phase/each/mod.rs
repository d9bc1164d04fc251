//! The phase of a for-each task: concurrent slots, one for each item.

mod function_item;
pub(crate) mod group;
mod lanes;
mod members;
mod model_item;
mod process_item;
pub(crate) mod progress;
pub(crate) mod slot;

pub(crate) use function_item::FunctionItem;
pub(crate) use process_item::ProcessItem;
