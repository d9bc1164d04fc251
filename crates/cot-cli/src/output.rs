//! Where results go.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anstream::AutoStream;
use serde::Serialize;
use thiserror::Error;

use crate::input;

/// Why a result could not be written.
#[derive(Debug, Error)]
#[error("can't write {name}")]
pub(crate) struct Unwritable {
    name: String,
    source: io::Error,
}

/// Prints a text. Where nobody reads on, as before `head`, that is no error.
pub(crate) fn text(text: &str) -> Result<(), Unwritable> {
    is_read(text).map(drop)
}

/// Prints a text, and says whether somebody reads on.
pub(crate) fn is_read(text: &str) -> Result<bool, Unwritable> {
    write(io::stdout().lock(), text)
}

/// Prints a text for people, who see its colours as they see those of messages.
pub(crate) fn styled(text: &str) -> Result<(), Unwritable> {
    write(AutoStream::auto(io::stdout().lock()), text).map(drop)
}

fn write(mut out: impl Write, text: &str) -> Result<bool, Unwritable> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(source) if source.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(source) => Err(Unwritable { name: "standard output".to_owned(), source }),
    }
}

/// Prints a text on a line of its own.
pub(crate) fn line(line: impl Into<String>) -> Result<(), Unwritable> {
    let mut line = line.into();
    line.push('\n');
    text(&line)
}

/// Prints JSON on a line of its own.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Unwritable> {
    line(to_json(value)?)
}

/// JSON on one line.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Unwritable> {
    let json = serde_json::to_string(value).map(|json| escaped(&json));
    json.map_err(|error| Unwritable { name: "JSON".to_owned(), source: error.into() })
}

/// Writes a file.
pub(crate) fn file(path: &Path, content: &str) -> Result<(), Unwritable> {
    fs::write(path, content).map_err(|source| Unwritable { name: input::name_of(path), source })
}

/// JSON in which nothing steers a terminal or is invisible: such characters stand in texts alone, and are
/// escaped there.
pub(crate) fn escaped(json: &str) -> String {
    written(json, |c| {
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

/// A text for people, in which characters that steer a terminal or are invisible are escaped.
pub(crate) fn visible(text: &str) -> String {
    written(text, |c| c.escape_unicode().to_string())
}

fn written(text: &str, escape: impl Fn(char) -> String) -> String {
    if !text.chars().any(is_hidden) {
        return text.to_owned();
    }
    text.chars().map(|c| if is_hidden(c) { escape(c) } else { c.into() }).collect()
}

/// Whether a character is none that is seen: a control character that is no white space, one that changes the
/// direction of writing, or one without a width.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_is_invisible_is_escaped() {
        let text = "a\u{9b}31m\u{1b}[1m\u{202e}b\u{200b}\u{feff}\tc\nä\u{7f}";
        assert_eq!(visible(text), "a\\u{9b}31m\\u{1b}[1m\\u{202e}b\\u{200b}\\u{feff}\tc\nä\\u{7f}");
        let json = to_json(&text).unwrap();
        assert!(!json.chars().any(is_hidden), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
