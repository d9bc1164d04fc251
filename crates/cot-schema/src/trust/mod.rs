//! Values that are not trusted, or not for everybody.

pub(crate) mod closed;
pub(crate) mod private;
pub(crate) mod quotable;
pub(crate) mod untrusted;
