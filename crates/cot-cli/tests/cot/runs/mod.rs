//! The output and effects of `cot runs`, on stores with runs of a small process and a scripted model.

mod answer;
mod branches;
mod case;
mod compatible;
mod conversation;
mod copy;
mod cut;
mod errors;
mod fork;
mod list;
mod media;
mod prune;
mod remove;
mod show;
mod start;
mod tail;
mod trace;
mod watch;
mod world;

pub(crate) use world::World;
