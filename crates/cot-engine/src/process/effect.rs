//! The effects of functions.

/// Whether a function can be called again when it is not known whether an earlier call of it was completed,
/// as after a crash. The stricter one is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Effect {
    /// The call is made again, with the same [key](crate::process::context::Cx::call_key).
    #[default]
    Repeatable,
    /// The call is made in a transaction of the store, in which its result and the step after it are committed. A call
    /// that is not committed has done nothing, so that it is made again.
    Transaction,
    /// The start of the call is durable before the call is made, and it is not made again: the task fails as
    /// interrupted.
    Once,
}
