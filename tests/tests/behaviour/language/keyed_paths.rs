//! State paths through maps and lists, and updates that fail halfway.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use cot_core::{HaltReason, PanicPlace, prelude::*};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, after, go, note, outcome, prompt, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Shelf {
    notes: Vec<Note>,
    label: String,
    inner: BTreeMap<u32, Vec<String>>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Hall {
    shelves: BTreeMap<String, Shelf>,
    maybe: Option<BTreeMap<String, Shelf>>,
    list: Vec<Shelf>,
    current: String,
    count: u32,
}

cot_process! {
    process Halls {
        state: Hall,
        max_retries: 1,

        task into -> Note {
            prompt: "INTO",
            update: {
                count = state.count + 1,
                shelves["a"].notes[] = output,
                shelves[state.current].label = output.text,
                shelves["a"]?.inner[output.rank]?[] = output.text,
                list[0].label = output.text,
                list[state.list.len() - 1].inner[7] = vec![output.text],
                maybe["x"]?.label = output.text,
            },
            next: done,
        }

        task done { end }
    }
}

fn hall() -> Hall {
    let shelves = BTreeMap::from([("a", Shelf::default()), ("b", Shelf::default())]);
    Hall {
        shelves: shelves.into_iter().map(|(key, shelf)| (key.to_owned(), shelf)).collect(),
        list: vec![Shelf::default(), Shelf::default()],
        current: "b".to_owned(),
        ..Hall::default()
    }
}

#[test]
fn paths_go_through_keys_and_numbers() {
    let machine = after::<Halls, _>(hall(), [note("x", 4)]);
    let hall = state(&machine);
    assert_eq!(hall.shelves["a"].notes, [Note { text: "x".into(), rank: 4 }]);
    assert_eq!(hall.shelves["a"].inner[&4], ["x"]);
    assert_eq!((hall.shelves["b"].label.as_str(), hall.list[0].label.as_str()), ("x", "x"));
    assert_eq!(hall.list[1].inner[&7], ["x"]);
    assert_eq!((hall.maybe.as_ref().unwrap()["x"].label.as_str(), hall.count), ("x", 1));
}

#[test]
fn a_key_that_is_not_there_refuses_the_whole_update() {
    let before = Hall { current: "nowhere".to_owned(), ..hall() };
    let mut machine = after::<Halls, _>(before.clone(), [note("x", 4)]);
    let prompt = prompt(&mut machine);
    assert!(prompt.contains("`shelves[") && prompt.contains("nowhere"), "{prompt}");
    assert_eq!(*state(&machine), before);
}

#[test]
fn a_number_that_is_not_there_refuses_the_whole_update() {
    cot_process! {
        process Third {
            state: Hall,
            max_retries: 0,
            task write -> Note { update: { count = 5, list[2].label = output.text }, may_end }
        }
    }
    let mut machine = after::<Third, _>(hall(), [note("x", 4)]);
    assert!(matches!(outcome(&mut machine).halt().unwrap().reason, HaltReason::Exhausted));
    assert_eq!(*state(&machine), hall());
}

/// Its code panics, at the word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Touchy(String);

impl Default for Touchy {
    fn default() -> Self {
        panic!("no default")
    }
}

impl Ord for Touchy {
    fn cmp(&self, other: &Self) -> Ordering {
        assert!(self.0 != "boom", "no order");
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Touchy {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Its value is dropped with a panic.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Sticky(u32);

impl Drop for Sticky {
    fn drop(&mut self) {
        assert!(self.0 != 13 || std::thread::panicking(), "not dropped");
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Case {
    count: u32,
    set: BTreeSet<Touchy>,
    map: BTreeMap<Touchy, u32>,
    touchy: Option<Touchy>,
    sticky: Sticky,
}

cot_process! {
    process Breaks {
        state: Case,
        task hub { transitions: { set, map, create, drops } }
        task set -> Note { update: { count = 1, set[] = Touchy(output.text) }, next: done }
        task map -> Note { update: { count = 1, map[Touchy(output.text)] = 1 }, next: done }
        task create -> Note { update: { count = 1, touchy?.0 = output.text }, next: done }

        task drops -> Note {
            update: { count = 1, sticky = Sticky(1), count = 2 if true },
            next: done,
        }

        task done { end }
    }
}

fn case() -> Case {
    let set = BTreeSet::from([Touchy("a".to_owned())]);
    let map = BTreeMap::from([(Touchy("a".to_owned()), 1)]);
    Case { set, map, ..Case::default() }
}

#[test]
fn a_write_that_panics_leaves_none_of_those_before_it() {
    for task in ["set", "map", "create"] {
        let mut machine = after::<Breaks, _>(case(), [go(task), note("boom", 1)]);
        let ended = outcome(&mut machine);
        let HaltReason::Panicked(panic) = &ended.halt().unwrap().reason else {
            panic!("{ended:?}")
        };
        assert_eq!(panic.place, PanicPlace::Update);
        assert_eq!(*state(&machine), case(), "{task}");
    }
}

#[test]
fn a_value_that_panics_when_it_is_written_over_disturbs_nothing() {
    let before = Case { sticky: Sticky(13), ..case() };
    let mut machine = after::<Breaks, _>(before, [go("drops"), note("x", 1)]);
    assert!(matches!(outcome(&mut machine), BreaksOutcome::Done));
    assert_eq!((state(&machine).count, state(&machine).sticky.0), (2, 1));
}
