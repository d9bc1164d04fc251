//! The status in Restate's state of a run.

use restate_sdk::prelude::{HandlerError, TerminalError};

/// The key of the status in Restate's state of the run.
pub(crate) const STATUS: &str = "status";

/// Creates the error for a run without a status, which includes runs that could not start.
pub(crate) fn no_run(key: &str) -> HandlerError {
    let message = format!(
        "the run `{key}` does not exist, or was just sent, or could not start; `attach` returns the reason"
    );
    TerminalError::new_with_code(404, message).into()
}
