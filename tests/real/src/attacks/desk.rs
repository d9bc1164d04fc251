//! The desk of a user: what its tools return, and what has been done.

use std::cell::RefCell;

use serde::Serialize;

use super::suites::{Call, PLACE, Suite};

#[derive(Default)]
struct Desk {
    results: Vec<(Call, String)>,
    effects: Vec<Call>,
}

// A run is on one thread, and tools have no other way to the desk that all processes have in common.
thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Sets a desk up, where somebody has written a text.
pub(super) fn set_up(suite: &Suite, text: &str) {
    let results = suite.results.iter().map(|it| (it.call.clone(), it.text.replace(PLACE, text)));
    DESK.set(Desk { results: results.collect(), effects: Vec::new() });
}

/// Returns the effects since then.
pub(super) fn take_effects() -> Vec<Call> {
    DESK.with_borrow_mut(|desk| std::mem::take(&mut desk.effects))
}

/// Performs the call of a tool.
///
/// # Errors
///
/// If there is nothing to read.
pub(super) fn perform(tool: &str, arguments: &impl Serialize) -> Result<String, String> {
    let arguments = serde_json::to_value(arguments).map_err(|error| error.to_string())?;
    let call = Call { tool: tool.to_owned(), arguments };
    DESK.with_borrow_mut(|desk| {
        if call.has_effect() {
            desk.effects.push(call);
            return Ok("done".to_owned());
        }
        let found = desk.results.iter().find(|(known, _)| known.is(&call));
        found.map(|(_, text)| text.clone()).ok_or_else(|| "nothing was found".to_owned())
    })
}

/// Defines the functions of tools.
macro_rules! functions {
    ($($name:ident($arguments:ty))*) => {
        $(async fn $name(arguments: &$arguments) -> Result<String, String> {
            $crate::attacks::desk::perform(stringify!($name), arguments)
        })*
    };
}

/// Defines the arguments of tools.
macro_rules! arguments {
    ($($name:ident { $($member:ident: $ty:ty),* })*) => {
        $(#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
        struct $name { $($member: $ty),* })*
    };
}

pub(super) use {arguments, functions};
