//! State paths: assign, append, insert, create; all values before all writes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::drive::{Note, after, note, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Inner {
    notes: Vec<Note>,
    text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Outer {
    inner: Option<Inner>,
    count: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Places {
    text: String,
    copy: String,
    whole: Option<Note>,
    outer: Outer,
    pair: (u32, String),
    left: u32,
    right: u32,
    lengths: Vec<usize>,
}

cot_process! {
    process Assigns {
        state: Places,
        goal: "serve",

        task write -> Note {
            update: {
                text = output.text,
                copy = output.text,
                whole = Some(output),
                outer.count = output.rank + 1,
                pair.1 = format!("{goal} {}", output.text),
            },
            may_end,
        }
    }
}

#[test]
fn values_are_assigned_to_fields_at_any_depth() {
    let machine = after::<Assigns, _>(Places::default(), [note("a", 7)]);
    let places = state(&machine);
    assert_eq!((places.text.as_str(), places.copy.as_str()), ("a", "a"));
    assert_eq!(places.whole, Some(Note { text: "a".into(), rank: 7 }));
    assert_eq!((places.outer.count, places.pair.1.as_str()), (8, "serve a"));
}

cot_process! {
    process Swaps {
        state: Places,

        task write -> Note {
            update: {
                left = state.right + output.rank,
                right = state.left + output.rank,
                lengths[] = state.lengths.len(),
                lengths[] = state.lengths.len(),
                copy = state.text,
                text = output.text,
            },
            may_end,
        }
    }
}

#[test]
fn every_value_sees_the_state_before_the_update() {
    let before = Places { left: 1, right: 2, text: "old".into(), ..Places::default() };
    let machine = after::<Swaps, _>(before, [note("new", 10)]);
    let places = state(&machine);
    assert_eq!((places.left, places.right), (12, 11));
    assert_eq!(places.lengths, [0, 0]);
    assert_eq!((places.copy.as_str(), places.text.as_str()), ("old", "new"));
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Lists {
    list: Vec<Note>,
    queue: VecDeque<u32>,
    ordered: BTreeSet<u32>,
    hashed: HashSet<String>,
    log: String,
    maybe_list: Option<Vec<u32>>,
    maybe_queue: Option<VecDeque<u32>>,
    maybe_set: Option<BTreeSet<u32>>,
    maybe_log: Option<String>,
}

cot_process! {
    process Appends {
        state: Lists,

        task write -> Note {
            update: {
                list[] = output,
                list[] = Note { rank: output.rank + 1, text: output.text },
                queue[] = output.rank,
                ordered[] = output.rank,
                hashed[] = output.text,
                log[] = output.text,
                maybe_list[] = output.rank,
                maybe_queue[] = output.rank,
                maybe_set[] = output.rank,
                maybe_log[] = output.text,
            },
            next: { write if state.queue.len() < 3, done },
        }

        task done { end }
    }
}

#[test]
fn items_are_appended_to_every_kind_of_list() {
    let machine = after::<Appends, _>(Lists::default(), [note("a", 2), note("b", 1), note("a", 2)]);
    let Lists { list, queue, ordered, hashed, log, .. } = state(&machine);
    let ranks: Vec<_> = list.iter().map(|note| note.rank).collect();
    assert_eq!(ranks, [2, 3, 1, 2, 2, 3]);
    assert_eq!(*queue, [2, 1, 2]);
    assert_eq!(*ordered, BTreeSet::from([1, 2]));
    assert_eq!(*hashed, HashSet::from(["a".to_owned(), "b".to_owned()]));
    assert_eq!(log, "aba");
}

#[test]
fn appending_creates_what_is_missing() {
    let machine = after::<Appends, _>(Lists::default(), [note("a", 2), note("b", 1)]);
    let Lists { maybe_list, maybe_queue, maybe_set, maybe_log, .. } = state(&machine);
    assert_eq!(*maybe_list, Some(vec![2, 1]));
    assert_eq!(*maybe_queue, Some(VecDeque::from([2, 1])));
    assert_eq!(*maybe_set, Some(BTreeSet::from([1, 2])));
    assert_eq!(maybe_log.as_deref(), Some("ab"));
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Maps {
    by_name: BTreeMap<String, Note>,
    by_rank: HashMap<u32, String>,
    json: Map<String, Value>,
    maybe: Option<BTreeMap<String, u32>>,
}

cot_process! {
    process Inserts {
        state: Maps,

        task write -> Note {
            update: {
                by_name["last"] = output,
                by_name[format!("{}-{}", output.text, state.by_rank.len())] = output,
                by_rank[output.rank] = output.text,
                json[output.text] = json!(output.rank),
                maybe["rank"] = output.rank,
            },
            next: { write if state.by_name.len() < 3, done },
        }

        task done { end }
    }
}

#[test]
fn values_are_inserted_into_every_kind_of_map() {
    let machine = after::<Inserts, _>(Maps::default(), [note("a", 1), note("b", 2)]);
    let Maps { by_name, by_rank, json, maybe } = state(&machine);
    assert_eq!(by_name.keys().collect::<Vec<_>>(), ["a-0", "b-1", "last"]);
    assert_eq!(by_name["last"].text, "b", "a later value takes the place of the earlier one");
    assert_eq!(*by_rank, HashMap::from([(1, "a".to_owned()), (2, "b".to_owned())]));
    assert_eq!(Value::Object(json.clone()), json!({ "a": 1, "b": 2 }));
    assert_eq!(*maybe, Some(BTreeMap::from([("rank".to_owned(), 2)])));
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Holes {
    outer: Option<Outer>,
    /// Stays as it is.
    other: Option<Outer>,
}

cot_process! {
    process Creates {
        state: Holes,

        task write -> Note {
            update: {
                outer?.count = output.rank,
                outer?.inner?.notes[] = output,
                outer?.inner?.text[] = output.text,
            },
            next: { write if output.rank < 2, done },
        }

        task done { end }
    }
}

#[test]
fn a_question_mark_creates_what_is_missing_and_keeps_what_is_there() {
    let machine = after::<Creates, _>(Holes::default(), [note("a", 1)]);
    let first = state(&machine).outer.clone().unwrap();
    assert_eq!(first.count, 1);
    assert_eq!(first.inner.unwrap().notes.len(), 1);
    assert_eq!(state(&machine).other, None);

    let machine = after::<Creates, _>(Holes::default(), [note("a", 1), note("b", 2)]);
    let second = state(&machine).outer.clone().unwrap();
    assert_eq!(second.count, 2);
    let inner = second.inner.unwrap();
    assert_eq!((inner.notes.len(), inner.text.as_str()), (2, "ab"));
}

cot_process! {
    process Shorthands {
        state: Short,
        sequence all [assign, append, create, insert]
        task assign -> Note { update: whole }
        task append -> Note { update: list[] }
        task create -> Note { update: deep?.only }
        task insert -> Note { update: map["key"], may_end }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Short {
    whole: Note,
    list: Vec<Note>,
    deep: Option<Deep>,
    map: BTreeMap<String, Note>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Deep {
    only: Note,
}

#[test]
fn a_path_alone_takes_the_whole_output() {
    let replies = ["a", "b", "c", "d"].map(|text| note(text, 0));
    let machine = after::<Shorthands, _>(Short::default(), replies);
    let of = |text: &str| Note { text: text.into(), rank: 0 };
    let expected = Short {
        whole: of("a"),
        list: vec![of("b")],
        deep: Some(Deep { only: of("c") }),
        map: BTreeMap::from([("key".into(), of("d"))]),
    };
    assert_eq!(*state(&machine), expected);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, CotOutput)]
struct Claim {
    policy: Option<String>,
    rank: u32,
    entry: Option<(String, u32)>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Claims {
    policy: String,
    best: u32,
    size: String,
    seen: Vec<String>,
    ranks: BTreeMap<String, u32>,
}

cot_process! {
    process Conditions {
        state: Claims,

        task read -> Claim {
            update: {
                policy = p if let Some(p) = output.policy,
                best = output.rank if output.rank > state.best,
                size = "small".to_owned(),
                size = "big".to_owned() if output.rank > 100,
                seen[] = policy.clone()
                    if let Some(policy) = &output.policy
                        && !state.seen.contains(policy),
                ranks[name] = rank if let Some((name, rank)) = output.entry,
            },
            may_end,
        }
    }
}

cot_process! {
    process DeclaredConditions {
        state: { policy: String, rank: u32 = 0 },

        task read -> Claim {
            update: { policy = output if let Some(output) = output.policy, rank = output.rank },
            next: { named if state.policy?.is_some(), unnamed },
        }

        task named { end }
        task unnamed { fail: "no policy" }
    }
}

#[test]
fn a_write_with_a_condition_is_made_where_it_holds() {
    let all = json!({ "policy": "p-1", "rank": 200, "entry": ["a", 4] });
    let none = json!({ "policy": null, "rank": 1, "entry": null });
    let machine = after::<Conditions, _>(Claims::default(), [all.clone()]);
    let expected = Claims {
        policy: "p-1".into(),
        best: 200,
        size: "big".into(),
        seen: vec!["p-1".into()],
        ranks: BTreeMap::from([("a".into(), 4)]),
    };
    assert_eq!(state(&machine), &expected);
    let machine = after::<Conditions, _>(expected.clone(), [none]);
    assert_eq!(state(&machine), &Claims { size: "small".into(), ..expected.clone() });
    // What a condition looks at is the state before the update.
    let machine = after::<Conditions, _>(expected.clone(), [all]);
    assert_eq!(state(&machine), &expected);
}

#[test]
fn a_declared_field_is_written_where_a_condition_holds() {
    for (policy, found) in [(json!("p-1"), Some("p-1".to_owned())), (json!(null), None)] {
        let reply = json!({ "policy": policy, "rank": 1, "entry": null });
        let machine = after::<DeclaredConditions, _>(DeclaredConditionsState::new(), [reply]);
        assert_eq!((&state(&machine).policy, state(&machine).rank), (&found, 1));
    }
}
