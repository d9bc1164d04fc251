//! `cot runs`: manages the runs in a store.

mod address;
mod advice;
mod answer;
mod cancel;
mod case;
mod command;
mod compatible;
mod copy;
mod cut;
mod entry;
mod fork;
mod list;
mod page;
mod prune;
mod remove;
mod retry;
mod show;
mod start;
mod state_file;
mod store;
mod table;
mod tail;
mod trace;
mod watch;
mod words;

pub(crate) use command::Runs;
#[cfg(feature = "serve")]
pub(crate) use {
    advice::report,
    store::{StoreFile, runtime},
};
