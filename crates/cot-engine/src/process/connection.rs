//! The connections of stores, in whose transactions functions with `effect: transaction` write.

use std::any::{Any, TypeId, type_name};

/// A connection with an open transaction, as a store gives it: a value of the type that the function takes, such as
/// `sqlx::PgConnection` or `rusqlite::Connection`.
pub type Connection = dyn Any + Send;

/// The type of a connection.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionType {
    id: TypeId,
    name: &'static str,
}

impl ConnectionType {
    /// Creates the type `C`.
    #[must_use]
    pub fn new<C: Any>() -> Self {
        Self { id: TypeId::of::<C>(), name: type_name::<C>() }
    }

    /// Returns the name of the type, with its path.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl PartialEq for ConnectionType {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ConnectionType {}
