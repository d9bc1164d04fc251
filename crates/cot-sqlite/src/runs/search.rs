//! The search for runs by text, as a function of SQL.

use std::borrow::Cow;

use memchr::memmem;
use rusqlite::{
    Connection,
    functions::{Context, FunctionFlags},
};
use serde::Deserialize;

use crate::error::OperationError;

/// Adds the function `run_matches(text, run, process, task, standing)` to a connection. It returns whether the text,
/// in lower case, is in the [searched text](cot_store::RunSummary::search_text) of a row.
pub(crate) fn add_function(connection: &Connection) -> Result<(), OperationError> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_DIRECTONLY;
    Ok(connection.create_scalar_function("run_matches", 5, flags, matches)?)
}

/// The fields of a status that are searched.
#[derive(Default, Deserialize)]
struct About<'a> {
    #[serde(borrow, default)]
    question: Cow<'a, str>,
    #[serde(borrow, default)]
    why: Cow<'a, str>,
}

fn matches(context: &Context<'_>) -> Result<bool, rusqlite::Error> {
    let text =
        |argument| context.get_raw(argument).as_str_or_null().ok().flatten().unwrap_or_default();
    // Of a status that can't be read, the other columns are searched.
    let about: About<'_> = match text(4) {
        standing if may_have_text(standing) => serde_json::from_str(standing).unwrap_or_default(),
        _ => About::default(),
    };
    let mut searched = String::with_capacity(256);
    for part in [text(1), "\n", text(2), "\n", text(3), "\n", &about.question, &about.why] {
        searched.push_str(part);
    }
    if searched.is_ascii() {
        searched.make_ascii_lowercase();
    } else {
        searched = searched.to_lowercase();
    }
    Ok(memmem::find(searched.as_bytes(), text(0).as_bytes()).is_some())
}

/// Returns whether a status may have a field that is searched. Most of them have none, and are not parsed.
fn may_have_text(standing: &str) -> bool {
    // A name with an escape is written by no serializer; it is read all the same.
    [r#""question""#, r#""why""#, r"\u"]
        .iter()
        .any(|name| memmem::find(standing.as_bytes(), name.as_bytes()).is_some())
}
