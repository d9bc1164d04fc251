//! The output of `cot layout`.

use cot_core::prelude::*;
use serde_json::Value;

use super::{Ended, cot, file};

cot_process! {
    process Inner {
        state: u32,
        task look { prompt: "${state}?", transitions: { done } }
        task done { end }
    }
}

/// Two versions of a process, which differ in a text.
macro_rules! version {
    ($module:ident, $intro:literal, $prompt:literal) => {
        mod $module {
            use cot_core::prelude::*;

            cot_process! {
                pub(super) process Letters {
                    state: u32,
                    intro: $intro,
                    task decide { prompt: $prompt, transitions: { inner, done } }
                    task again { prompt: "Again ${*state + 1}. Now?", transitions: { done } }
                    task inner { process: super::Inner with *state, next: again }
                    task done { end }
                }
            }
        }
    };
}
version!(first, "Write letters.", "What now?");
version!(reworded, "Write letters.", "And now?");
version!(moved, "Write short letters.", "What now?");

fn manifest<P: Process<Context = ()>>(name: &str) -> String {
    let manifest = cot_core::Description::new::<P>().manifest();
    file(&format!("layout-{name}.json"), manifest.to_string())
}

fn objects(arguments: &[&str], code: i32) -> Vec<Value> {
    let ended = cot(&[&["layout", "--json"], arguments].concat(), "");
    assert_eq!((ended.err.as_str(), ended.code), ("", code));
    ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    object[member].as_str().unwrap()
}

#[test]
fn each_task_that_asks_a_model_is_printed() {
    let first = manifest::<first::Letters>("first");
    let (processes, tasks): (Vec<_>, Vec<_>) =
        objects(&[&first], 0).into_iter().partition(|object| object.get("task").is_none());
    assert_eq!(processes[0]["process"], "Letters");
    assert_eq!(processes[0]["bounds"]["model_calls"], 9);
    let names: Vec<_> = tasks.iter().map(|it| (text(it, "process"), text(it, "task"))).collect();
    assert_eq!(names, [("Letters", "decide"), ("Letters", "again"), ("Inner", "look")]);
    let decide = &tasks[0]["sections"];
    assert_eq!((&decide[1]["part"], &decide[1]["fixed_bytes"]), (&"intro".into(), &14.into()));
    let Ended { out, err, code } = cot(&["layout", &first], "");
    assert_eq!((err.as_str(), code), ("", 0));
    let bounds = "Letters: a run has at most 9 model calls, unbounded output tokens, 150 bytes of declared prompts\n";
    assert!(out.starts_with(bounds), "{out}");
    assert!(out.contains("\n  unbounded: `decide` sets no `max_tokens`\n"), "{out}");
    assert!(out.contains("\nLetters decide: "), "{out}");
    assert!(out.contains("\n  intro        fixed         14\n"), "{out}");
}

#[test]
fn a_change_is_named_where_the_prompts_begin_differently() {
    let first = manifest::<first::Letters>("before");
    assert_eq!(objects(&["--against", &first, &first], 0), [Value::Null; 0]);

    let reworded = manifest::<reworded::Letters>("reworded");
    let changed = objects(&["--against", &first, &reworded], 1);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert_eq!((&changed[0]["task"], &changed[0]["part"]), (&"decide".into(), &"prompt".into()));
    let [kept, before, after] =
        ["kept", "before", "after"].map(|name| changed[0][name].as_u64().unwrap());
    assert_eq!((kept, before - after), (31 + 14, 1));

    let moved = manifest::<moved::Letters>("moved");
    let changed = objects(&["--against", &first, &moved], 1);
    let parts: Vec<_> = changed.iter().map(|it| (text(it, "task"), text(it, "part"))).collect();
    assert_eq!(parts, [("decide", "intro"), ("again", "intro")]);
    let out = cot(&["layout", "--against", &first, &moved], "").out;
    assert!(out.starts_with("Letters decide: `intro` differs, after 31 bytes "), "{out}");
}

#[test]
fn another_file_is_not_a_manifest() {
    for (name, content) in
        [("not-json", "{"), ("other", "{}"), ("old", r#"{"name":"A","tasks":[{"name":"a"}]}"#)]
    {
        let path = file(name, content);
        let ended = cot(&["layout", &path], "");
        assert_eq!((ended.out.as_str(), ended.code), ("", 2));
        assert!(ended.err.contains("is not a manifest with layouts"), "{}", ended.err);
    }
    assert_eq!(cot(&["layout", "--against", "-", "-"], "").code, 2);
}
