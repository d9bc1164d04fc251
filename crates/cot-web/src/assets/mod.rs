//! Style, script and icon, which are part of the library.

pub(crate) mod serve;
