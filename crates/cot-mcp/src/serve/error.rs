//! Why a server stopped.

/// Why a [`ToolServer`](super::ToolServer) could not serve, or stopped.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client did not perform the handshake of the protocol.
    #[error("the client did not connect: {0}")]
    Handshake(String),
    /// Two tools have the same name.
    #[error("two tools have the name `{0}`")]
    SameName(String),
    /// The name of a tool is not one to sixty-four ASCII letters, digits, `_` and `-`.
    #[error("`{0}` is no name of a tool: one to 64 ASCII letters, digits, `_` and `-` are")]
    InvalidName(String),
    /// The server was stopped by a panic or the end of the runtime.
    #[error("the server was stopped: {0}")]
    Stopped(String),
}

cot_schema::debug_as_sentence!(ServeError);
