//! The preprocessor that mdBook calls: `preprocess supports RENDERER`, or with a book as JSON on standard input.

use std::{
    error::Error,
    io::{self, Read, Write},
    path::Path,
};

use cot_book::{Api, render, workspace};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).as_deref() == Some("supports") {
        return Ok(());
    }
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let (_, mut book): (Value, Value) = serde_json::from_str(&input)?;
    let api = Api::open(&workspace().join("target/doc"));
    render_all(&mut book, api.as_ref())?;
    Ok(serde_json::to_writer(io::stdout().lock(), &book)
        .and_then(|()| io::stdout().flush().map_err(serde_json::Error::io))?)
}

/// Renders every chapter of the book, wherever it is nested.
fn render_all(json: &mut Value, api: Option<&Api>) -> io::Result<()> {
    match json {
        Value::Array(items) => items.iter_mut().try_for_each(|item| render_all(item, api)),
        Value::Object(members) => {
            if let (Some(Value::String(path)), Some(Value::String(content))) =
                (members.get("path"), members.get("content"))
            {
                let content = render(Path::new(path), content, api)?;
                members.insert("content".to_owned(), content.into());
            }
            members.values_mut().try_for_each(|member| render_all(member, api))
        }
        _ => Ok(()),
    }
}
