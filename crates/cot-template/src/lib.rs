//! The text of templates: its writer, and the partial prompts that show some of it.
//!
//! A [`PromptWriter`] is what a template writes to. It keeps where each piece of the text begins and how stable the
//! piece is, and leaves out what a [`PartialPrompt`] omits.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `writer` writes text, and `recorder` its pieces; `fragment` is what can be omitted, `mode` the presets, `partial` a
// preset with adjustments; `parts` and `part_source` are for parts that a template writes by name; `growing` is a text
// that only grows.

mod fragment;
mod growing;
mod mode;
mod part_source;
mod partial;
mod parts;
mod recorder;
mod writer;

pub use fragment::Fragment;
pub use growing::GrowingText;
pub use mode::{ParsePromptModeError, PromptMode};
#[doc(hidden)]
pub use part_source::PartSource;
pub use partial::PartialPrompt;
#[doc(hidden)]
pub use partial::is_same_field;
#[doc(hidden)]
pub use parts::did_you_mean;
pub use parts::{Newlines, PartError};
pub use writer::{Mark, PromptWriter};

cot_schema::debug_as_sentence! { ParsePromptModeError, PartError }
