//! One run: its graph, its time line, and its state at any step.
//!
//! `load` reads what the page shows: the summary, some steps, and the graph. `page` puts it together from `head`,
//! `graph` and `timeline`, which has a file for each thing in a step. `state` is the page of a state, `entry` that
//! of all texts of a call, `case` the file for an eval.

mod attempt;
mod case;
mod entry;
mod graph;
mod head;
mod items;
mod load;
mod marks;
mod page;
mod passages;
mod place;
mod prompt;
mod reply;
pub(crate) mod routes;
mod state;
mod state_diff;
mod step;
mod text;
mod timeline;
mod tools;
mod tree;
mod trust;
