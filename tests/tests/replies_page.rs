//! The page on replies is true: each reply on it is read as the page says.
//!
//! `UPDATE_EXPECT=1 cargo test -p cot-tests --test replies_page` writes the page anew.

use std::{
    fs,
    path::{Path, PathBuf},
};

use cot_core::{
    CotOutput,
    reader::{Reader, Repair},
};
use cot_reader::internal::RepairKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A task for the team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase")]
struct Ticket {
    #[schemars(length(min = 1, max = 60))]
    title: String,
    #[cot(alias = "prio")]
    priority: Priority,
    #[serde(default)]
    tags: Vec<String>,
    #[schemars(range(min = 1, max = 4800))]
    minutes_needed: u32,
    assignee: Option<String>,
    /// Numbers of other tickets.
    #[serde(default)]
    #[cot(allow_loss)]
    blocked_by: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
enum Priority {
    Low,
    #[cot(alias = "normal")]
    Medium,
    High,
    #[cot(alias = "urgent")]
    DropEverything,
}

const OPEN: &str = "````markdown\n";
const BETWEEN: &str = "\n````\n\n````text\n";
const CLOSE: &str = "````\n";
const TABLE: &str = "<!-- The repairs of the reader's catalogue. -->\n";
const TABLE_END: &str = "<!-- The end of the repairs. -->\n";

#[test]
fn the_page_says_how_replies_are_read() {
    let page = fs::read_to_string(path()).unwrap();
    let mut pieces = page.split(OPEN);
    let mut expected = pieces.next().unwrap().to_owned();
    let mut count = 0;
    for piece in pieces {
        let (reply, rest) = piece.split_once(BETWEEN).expect("a reading follows each reply");
        let (_, rest) = rest.split_once(CLOSE).expect("the reading ends");
        expected += &format!("{OPEN}{reply}{BETWEEN}{}\n{CLOSE}{rest}", reading_of(reply));
        count += 1;
    }
    assert!(count >= 20, "{count} replies");
    let (_, declared) = page.split_once("/// A task for the team.\n").unwrap();
    let (declared, _) = declared.split_once("# let").unwrap();
    assert!(include_str!("replies_page.rs").contains(declared), "the types are those of the page");
    let (before, table) = expected.split_once(TABLE).expect("the table begins");
    let (_, after) = table.split_once(TABLE_END).expect("the table ends");
    let expected = format!("{before}{TABLE}{}{TABLE_END}{after}", repairs());
    expect_test::expect_file![path()].assert_eq(&expected);
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cot-core/docs/replies.md")
}

/// The catalogue of repairs as a table.
fn repairs() -> String {
    let row = |kind: &RepairKind| {
        let what = kind.sentence().replace("{}", "…");
        format!("| {} | {} | {what} | {} |\n", kind.id(), kind.class(), as_code(kind.example()))
    };
    let rows: String = RepairKind::ALL.iter().map(row).collect();
    format!("| id | class | what is reported | in |\n|---|---|---|---|\n{rows}")
}

/// A reply as code in one line of a table.
fn as_code(reply: &str) -> String {
    let line = reply.replace('\n', "⏎").replace('\u{a0}', "⍽").replace('|', "\\|");
    format!("`` {line} ``")
}

/// The value, or the issues; and the repairs.
fn reading_of(reply: &str) -> String {
    let reader = Reader::for_type::<Ticket>().may_be_truncated(true);
    let lines = |key: &str, all: Vec<String>| match all.is_empty() {
        true => String::new(),
        false => format!("\n{key}:\n  {}", all.join("\n  ")),
    };
    let told = |repairs: &[Repair]| repairs.iter().map(ToString::to_string).collect();
    match reader.read(reply) {
        Ok(read) => {
            let typed = serde_json::from_value::<Ticket>(read.value.clone());
            assert!(typed.is_ok(), "what is read fits the type: {typed:?}");
            format!("{}{}", json!(read.value), lines("repairs", told(&read.repairs)))
        }
        Err(unreadable) => {
            let issues = unreadable.issues.iter().map(ToString::to_string).collect();
            let issues = lines("issues", issues);
            format!("refused{issues}{}", lines("repairs", told(&unreadable.repairs)))
        }
    }
}
