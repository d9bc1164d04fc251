//! The page for assistants (`cot-core/docs/for_assistants.md`) has the tables of the grammar, the texts of the page on
//! processes, and errors that the compiler gives: `UPDATE_EXPECT=1 cargo test -p cot-tests --test assistants_page` writes
//! what stands between its marks.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod mistakes;
mod tables;
mod texts;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The line before what is written here, such as `<!-- written: items of a task -->`.
const OPEN: &str = "<!-- written: ";
/// The line after it.
const CLOSE: &str = "<!-- end -->\n";

#[test]
fn the_page_has_what_is_true() {
    let path = root().join("cot-core/docs/for_assistants.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut pieces = page.split(OPEN);
    let mut expected = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (what, rest) = piece.split_once(" -->\n").expect("a mark is a line");
        let (_, after) = rest.split_once(CLOSE).expect("a mark has an end");
        expected += &format!("{OPEN}{what} -->\n{}{CLOSE}{after}", written(what));
    }
    expect_test::expect_file![path].assert_eq(&expected);
}

/// Returns what stands below a mark.
fn written(what: &str) -> String {
    match what {
        "mistakes" => mistakes::all(),
        "program" => mistakes::program(),
        what => tables::table(what)
            .or_else(|| texts::section(what))
            .unwrap_or_else(|| panic!("nothing is called `{what}`")),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
