//! Outputs that are still being received.

mod de;
pub(crate) mod incoming;
pub(crate) mod output;
