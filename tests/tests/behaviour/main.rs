//! What declared processes do, through the public surface: the macros on one side, the machine and
//! the runner on the other.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod bad_input;
mod calls;
mod drive;
mod engine;
mod items;
mod kinds;
mod language;
mod prompts;
mod property;
mod replay;
mod rollout;
mod running;
mod stored_format;
mod storing;
mod tools;
mod working;
