//! Ids of calls.

use std::hash::{BuildHasher, RandomState};

/// Generates a random id for a call: `cot_` and 32 random hexadecimal digits.
///
/// ```
/// use cot_core::reasoning::generate_call_id;
///
/// assert!(generate_call_id().starts_with("cot_"));
/// assert_ne!(generate_call_id(), generate_call_id());
/// ```
#[must_use]
pub fn generate_call_id() -> String {
    // Each `RandomState` has its own keys, derived from the randomness of the system.
    let random = |half: u8| RandomState::new().hash_one(half);
    format!("cot_{:016x}{:016x}", random(0), random(1))
}
