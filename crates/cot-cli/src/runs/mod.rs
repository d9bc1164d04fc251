//! `cot runs`: looks after runs that are kept in a store.

mod advice;
mod answer;
mod command;
mod cut;
mod entry;
mod fork;
mod list;
mod page;
mod prune;
mod remove;
mod show;
mod store;
mod table;
mod tail;
mod words;

pub(crate) use command::Runs;
