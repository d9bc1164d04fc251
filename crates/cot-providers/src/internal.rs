//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::tls::{TlsError, client_builder};
