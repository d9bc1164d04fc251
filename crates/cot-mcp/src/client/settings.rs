//! What servers of all kinds have in common.

use std::time::Duration;

use super::secrets::Secrets;

/// The settings of a server.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The name of the server in messages.
    pub(crate) name: String,
    /// The tools that are used; `None` for all of them.
    pub(crate) only: Option<Vec<String>>,
    pub(crate) connect_timeout: Duration,
    pub(crate) call_timeout: Duration,
    /// The maximum number of attempts to connect before a call fails.
    pub(crate) max_attempts: u32,
    /// The maximum length of a message of the server, in bytes.
    pub(crate) max_message: usize,
    pub(crate) secrets: Secrets,
}

impl Settings {
    /// Creates the default settings of a server.
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            only: None,
            connect_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_secs(60),
            max_attempts: 3,
            max_message: 16 * 1024 * 1024,
            secrets: Secrets::default(),
        }
    }
}
