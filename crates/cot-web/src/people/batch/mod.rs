//! One answer to several questions of the same task.

pub(super) mod group;
mod page;
mod report;
mod selection;
pub(super) mod show;
