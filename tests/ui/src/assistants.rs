//! What rustc keeps of an error, as the page for assistants shows it.

use std::{env, fs};

use serde_json::{Value, json};

use crate::{compiler, root};

const OPEN: &str = "<!-- written by `cargo test --test rustc` -->\n```json\n";
const CLOSE: &str = "```\n<!-- end -->";

#[test]
fn the_page_for_assistants_shows_what_rustc_keeps() {
    let path = root().join("../../cot-core/docs/for_assistants.md");
    let page = fs::read_to_string(&path).expect("there is a page");
    let (before, rest) = page.split_once(OPEN).expect("a block with the error");
    let (_, after) = rest.split_once(CLOSE).expect("the block ends");
    let messages = compiler::as_json(&root().join("assistants/unknown_task.rs"), "bin");
    let message = messages.first().expect("an error");
    let json = format!("{:#}", kept(message));
    let expected = format!("{before}{OPEN}{json}\n{CLOSE}{after}");
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, expected).expect("the page can be written");
        return;
    }
    assert_eq!(page, expected, "UPDATE_EXPECT=1 writes it");
}

/// The members that a program needs. `rendered` is left out, and so is where the repository is.
fn kept(message: &Value) -> Value {
    let span = &message["spans"][0];
    let file = span["file_name"].as_str().expect("a file");
    let file = file.rsplit_once('/').map_or(file, |(_, name)| name);
    json!({
        "level": message["level"],
        "message": message["message"],
        "code": message["code"],
        "spans": [{
            "file_name": file,
            "is_primary": span["is_primary"],
            "line_start": span["line_start"],
            "column_start": span["column_start"],
            "column_end": span["column_end"],
            "byte_start": span["byte_start"],
            "byte_end": span["byte_end"],
            "suggested_replacement": span["suggested_replacement"],
        }],
        "children": message["children"],
    })
}
