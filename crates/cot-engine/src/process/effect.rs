//! The effects of functions.

/// Whether a function can be called again when it is not known whether an earlier call of it was completed,
/// as after a crash. The stricter one is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Effect {
    /// The call is made again, with the same [key](crate::process::context::Cx::call_key).
    #[default]
    Repeatable,
    /// The start of the call is durable before the call is made, and it is not made again: the task fails as
    /// interrupted.
    Once,
}
