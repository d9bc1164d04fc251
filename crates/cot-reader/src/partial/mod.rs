//! Outputs that are still coming in.

mod de;
pub(crate) mod incoming;
pub(crate) mod output;
