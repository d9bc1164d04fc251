//! The status of a run, among the state that Restate keeps for it.

use restate_sdk::prelude::{HandlerError, TerminalError};

/// Where the status of a run is kept, among the state that Restate keeps for it.
pub(crate) const STATUS: &str = "status";

/// Nothing is known of a run that could not start, either.
pub(crate) fn no_run(key: &str) -> HandlerError {
    let message = format!(
        "there is no run `{key}`; or it has just been sent; or it could not start, and `attach` tells why"
    );
    TerminalError::new_with_code(404, message).into()
}
