//! `cot runs watch`: shows live runs and what they do.

mod doing;
mod frame;
mod look;
#[expect(clippy::module_inception, reason = "the file of the command that the folder is about")]
mod watch;

pub(super) use watch::Watch;
