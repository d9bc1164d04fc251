//! Where results and complaints go.

use std::{
    error::Error,
    io::{self, Write},
};

use serde::Serialize;

/// Prints one JSON object on a line of its own.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Says what went wrong, and why, to the person who called.
pub(crate) fn complain(error: &dyn Error) {
    let mut text = format!("error: {error}");
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    // Nobody is left to be told that this fails too.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
