//! Lists in text and JSON, and their tasks.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn check(text: &str, expected: &str) {
    assert_eq!(TodoList::parse(text).to_string(), expected, "{text:?}");
}

#[test]
fn boxes_say_how_tasks_stand() {
    check("- [ ] a\n- [x] b\r\n- [X] c", "- [ ] a\n- [x] b\n- [x] c");
    check(
        "* [ ] a\n+ [x] b\n• [] c\n1. [x] d\n2) [ ] e\n[ ] f\n-[x] g",
        "- [ ] a\n- [x] b\n- [ ] c\n- [x] d\n- [ ] e\n- [ ] f\n- [x] g",
    );
    check("- [✓] 光\n☐ a\n- ☑️ b\n✅ c\n1. ⬜ d", "- [x] 光\n- [ ] a\n- [x] b\n- [x] c\n- [ ] d");
    check("- [ ]\n- [x]   \n", "");
    check("- [ ] a - b? - [x] c - [ ] d", "- [ ] a - b?\n- [x] c\n- [ ] d");
    check("a - [ ] b", "- [ ] a - [ ] b");
    check("- [ ] see [1] and [x]", "- [ ] see [1] and [x]");
}

#[test]
fn states_beyond_done_and_open_are_kept() {
    check("- [x] a\n- [~] b", "- [x] a\n- [~] b");
    check(
        "- [-] a\n- [done] b\n- [In Progress] c\n- [>] d\n- [TODO] e\n- [!] f",
        "- [-] a\n- [x] b\n- [In Progress] c\n- [>] d\n- [ ] e\n- [!] f",
    );
    let todos = TodoList::parse("- [x] a\n- [~] b");
    assert!(!todos.is_done());
    assert_eq!(todos.items[1], Todo { done: false, mark: Some("~".to_owned()), text: "b".into() });
    // An unknown state is part of the description.
    check(
        "- [y] a\n- [API] b\n[1] c\n[link](x)",
        "- [ ] [y] a\n- [ ] [API] b\n- [ ] [1] c\n- [ ] [link](x)",
    );
}

#[test]
fn any_line_is_a_task() {
    check(
        "Plan:\n\n  - [ ] a\n    in two lines\n- no box\n- [x] b\nplain",
        "- [ ] a in two lines\n- [ ] no box\n- [x] b\n- [ ] plain",
    );
    check("To do:\n- a\n* b\n1. c\n20) d", "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d");
    check(
        "a\nb -c\n-d\n3.5 apples\n---\n12",
        "- [ ] a\n- [ ] b -c\n- [ ] -d\n- [ ] 3.5 apples\n- [ ] 12",
    );
    check("First I look it up. Then I compare.", "- [ ] First I look it up. Then I compare.");
    check("1、第一\n２．第二\n٣. ثالث", "- [ ] 第一\n- [ ] 第二\n- [ ] ثالث");
    check("", "");
}

#[test]
fn headings_rules_and_fences_are_no_tasks() {
    check("# Plan\n```\nSteps：\n- a\n```\n***\n## Then\n- b", "- [ ] a\n- [ ] b");
    check("Do this:", "- [ ] Do this:");
    check("Do this:\nand that:\n- a", "- [ ] Do this:\n- [ ] a");
    check("#1 a\n- b:", "- [ ] #1 a\n- [ ] b:");
}

#[test]
fn lists_may_be_json() {
    for (json, expected) in [
        (
            json!([{ "task": "a", "done": true }, { "task": "b", "done": false }]),
            "- [x] a\n- [ ] b",
        ),
        (
            json!([{ "id": 1, "title": "a", "status": "completed" }, { "id": 2, "title": "b", "status": "in progress" }]),
            "- [x] a\n- [in progress] b",
        ),
        (
            json!([{ "text": "a", "status": "needs review", "why": ["b"] }]),
            "- [ ] a (status: needs review, why: [\"b\"])",
        ),
        (json!({ "tasks": ["a", "- [x] b"] }), "- [ ] a\n- [x] b"),
        (
            json!({ "a": true, "b": false, "c": "done", "d": "see x" }),
            "- [x] a\n- [ ] b\n- [x] c\n- [ ] d: see x",
        ),
        (json!({ "1": "a", "2": "[x] b" }), "- [ ] a\n- [x] b"),
        (
            json!({ "done": ["a"], "remaining": ["b"], "later": ["c"] }),
            "- [x] a\n- [ ] b\n- [ ] later: c",
        ),
        (json!("[\"a\", {\"task\": \"b\", \"done\": true}]"), "- [ ] a\n- [x] b"),
        (json!({ "task": "a", "done": true }), "- [x] a"),
        (json!([{ "sum": 4 }, [1], null, 7]), "- [ ] {\"sum\":4}\n- [ ] [1]\n- [ ] 7"),
        (json!(4), "- [ ] 4"),
    ] {
        assert_eq!(TodoList::from_json(json.clone()).to_string(), expected, "{json}");
    }
}

#[test]
fn a_list_knows_what_is_open() {
    let todos = TodoList::parse("- [x] a\n- [ ] b");
    assert!(!todos.is_done() && !todos.items.is_empty());
    assert_eq!(todos.open().map(|todo| &*todo.text).collect::<Vec<_>>(), ["b"]);
    assert!(TodoList::parse("- [x] a").is_done() && TodoList::default().is_done());
    let many = Todo { done: true, text: "a\n  b".to_owned(), ..Todo::default() };
    assert_eq!(many.to_string(), "- [x] a b");
    // Lists from before boxes could have other states.
    let list = json!([{ "done": true, "text": "a" }]);
    let read: TodoList = serde_json::from_value(list.clone()).unwrap();
    assert_eq!(
        (read.to_string().as_str(), serde_json::to_value(&read).unwrap()),
        ("- [x] a", list)
    );
}

proptest! {
    #[test]
    fn lists_come_back(items in prop::collection::vec((any::<bool>(), "\\PC{1,20}"), 0..6)) {
        let items: Vec<Todo> = items
            .into_iter()
            .map(|(done, text)| Todo { done, text: text.trim().to_owned(), mark: None })
            .filter(|todo| !todo.text.is_empty())
            .collect();
        let todos = TodoList { items };
        prop_assert_eq!(TodoList::parse(&todos.to_string()), todos);
    }

    #[test]
    fn any_text_can_be_read(text in prop_oneof![any::<String>(), "([-*1.x~ \\[\\]a:#☑✅]|\n){0,30}"]) {
        let todos = TodoList::parse(&text);
        prop_assert_eq!(TodoList::parse(&todos.to_string()), todos);
    }

    /// Every letter and digit of a line is in a task, unless the line is a heading or a fence.
    #[test]
    fn nothing_vanishes(lines in prop::collection::vec("(- |1[.] |  )?(\\[[ x~]\\] )?[a-z] ?[a-z]{0,3}", 1..6)) {
        let todos = TodoList::parse(&lines.join("\n")).to_string();
        for line in lines {
            let text = line.trim_start_matches(|c: char| !c.is_ascii_lowercase() || c == 'x').trim();
            prop_assert!(todos.contains(text), "{} in {}", text, todos);
        }
    }
}
