//! Templates: the writer of their text, and partial prompts.

pub(crate) mod fragment;
pub(crate) mod growing;
pub(crate) mod mode;
pub(crate) mod part_source;
pub(crate) mod partial;
pub(crate) mod parts;
pub(crate) mod recorder;
pub(crate) mod writer;
