//! `cot runs trace`.

use std::{fs, time::SystemTime};

use cot_core::{
    store::{Store, Submission},
    task_format::{self, BlockKind},
};

use super::{
    cut::damaged,
    world::{Letter, World, said, wait},
};
use crate::cot;

#[test]
fn a_run_is_written_as_a_valid_trace() {
    let world = World::with_runs();
    for run in ["asking", "done", "failed"] {
        let printed = world.printed(&["trace", run]);
        let report = task_format::check(&printed);
        assert!(report.is_valid(), "{printed}\n{:?}", report.errors);
        assert_eq!(cot(&["task", "fmt", "-"], &printed).out, printed);
    }
    let printed = world.printed(&["trace", "asking"]);
    for part in [
        "system「A run of the process Letters.」\n",
        "user「A letter」 🏷 usr1\n",
        "think ↦ \"attempt 1 was not accepted: $.text: ",
        "the reply of attempt 2 was repaired: ",
        "text ↦ \"Dear Ann\"\n    } 🏷 write-1 ⊨ 1\n",
        "rationale ↦ \"`write` leads to `approve`, by its `next`\"",
        "response「The run is not over. A person is asked at `approve`: Send this?\nDear Ann」\n",
    ] {
        assert!(printed.contains(part), "no {part:?} in:\n{printed}");
    }
    let done = world.printed(&["trace", "done"]);
    assert!(done.contains("tool ↦ approve •\n        id ↦ approve-2\n    } ⊨ 2\n"), "{done}");
    assert!(done.contains("response「The run came to its end at `sent`.\n"), "{done}");
    let failed = world.printed(&["trace", "failed"]);
    assert!(failed.contains("response「The run failed at `write`: no attempt gave"), "{failed}");
}

#[test]
fn a_trace_goes_to_a_file() {
    let world = World::with_runs();
    let path = world.file("a.task", "another file");
    assert_eq!(world.printed(&["trace", "done", "--output", &path]), "");
    let printed = world.printed(&["trace", "done"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    assert_eq!(world.printed(&["trace", "done", "-o", "-"]), printed);

    let unknown = world.cot(&["trace", "nobody", "-o", &path]);
    assert_eq!((unknown.out.as_str(), unknown.code), ("", 1));
    assert_eq!(fs::read_to_string(&path).unwrap(), printed, "it is left as it is");
    let nowhere = world.cot(&["trace", "done", "-o", "no/such/folder"]);
    assert_eq!((nowhere.out.as_str(), nowhere.code), ("", 2));
    assert!(nowhere.err.starts_with("error: can't write `no/such/folder`"), "{}", nowhere.err);
}

#[test]
fn a_run_that_has_not_begun_has_a_trace() {
    let world = World::new();
    let store = world.store();
    let submission = Submission::new("Letters", &Letter::default(), SystemTime::now()).unwrap();
    wait(store.submit(submission.run_id("queued".parse().unwrap()))).unwrap();
    let printed = world.printed(&["trace", "queued"]);
    let trace = task_format::parse(&printed).unwrap();
    let kinds: Vec<BlockKind> = trace.blocks.iter().map(|block| block.kind).collect();
    let expected = [BlockKind::System, BlockKind::User, BlockKind::Plan, BlockKind::Response];
    assert_eq!(kinds, expected, "{printed}");
    assert!(printed.ends_with("response「The run is not over. No program has begun it.」\n"));
}

#[test]
fn a_damaged_journal_is_reported() {
    let world = damaged();
    let ended = world.cot(&["trace", "asking"]);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(ended.err.starts_with("error: entry 2 of run `asking` can't be read"), "{}", ended.err);
    assert!(ended.err.contains("cot runs cut asking --from 2 --yes"), "{}", ended.err);
    world.printed(&["cut", "asking", "--from", "2", "--yes"]);
    assert!(task_format::check(&world.printed(&["trace", "asking"])).is_valid());
}

#[test]
fn what_a_model_says_does_not_steer_the_terminal() {
    let world = World::new();
    world.ask("sly", vec![said("{\"text\":\"\u{1b}[2J ab\"}"), said("\u{1b}]0;x\u{7}")]);
    let printed = world.printed(&["trace", "sly"]);
    assert!(!printed.contains(['\u{1b}', '\u{7}']), "{printed:?}");
    assert!(task_format::check(&printed).is_valid());
}
