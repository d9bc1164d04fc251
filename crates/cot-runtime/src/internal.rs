//! Items for the other crates of this workspace. Semantic versioning does not cover them.

pub use crate::{
    clock::with_timeout,
    runner::builder::{has_store, wrap_models},
};
