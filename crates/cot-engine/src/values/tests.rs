//! Tests of the history.

use super::*;

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

fn of_output(task: &str, output: impl Serialize) -> HistoryEntry {
    let output = to_raw_value(&output).unwrap();
    HistoryEntry::from_output(task, &output).unwrap()
}

fn entry(number: usize) -> HistoryEntry {
    of_output("add", number)
}

#[test]
fn drops_the_oldest_entries() {
    let mut history = History::new();
    for number in 0..5 {
        history.push_newest(entry(number), Some(2));
    }
    assert_eq!(history.iter().collect::<Vec<_>>(), [&entry(3), &entry(4)]);
    history.push_newest(entry(5), Some(0));
    assert!(history.is_empty());
}

#[test]
fn drops_the_older_half_when_it_is_full() {
    let mut history = History::new();
    let mut lengths = Vec::new();
    for number in 0..8 {
        history.push(entry(number), Some(5));
        lengths.push(history.len());
    }
    assert_eq!(lengths, [1, 2, 3, 4, 5, 3, 4, 5]);
    assert_eq!(history.iter().next(), Some(&entry(3)));
    for (max, kept) in [(3, 2), (2, 1), (1, 1), (0, 0)] {
        history.push(entry(8), Some(max));
        assert_eq!(history.len(), kept, "{max}");
    }
}

#[test]
fn survives_serialization() {
    let mut history = History::new();
    history.push(entry(1), None);
    history.push(HistoryEntry::from_transition("a", "b", "say \"hi\"", "").unwrap(), None);
    let json = serde_json::to_string(&history).unwrap();
    assert_eq!(
        json,
        r#"[{"task":"add","output":1},{"task":"a","goTo":"b","intent":"say \"hi\"","stepAfter":""}]"#
    );
    assert_eq!(serde_json::from_str::<History>(&json).unwrap(), history);
    let value = serde_json::to_value(&history).unwrap();
    assert_eq!(serde_json::from_value::<History>(value).unwrap(), history);
}

#[test]
fn entries_are_added_by_hand() {
    let mut history = History::new();
    history.add(&serde_json::json!({ "task": "note", "text": "a\nb" })).unwrap();
    history.add("plain").unwrap();
    assert!(history.add(&std::collections::BTreeMap::from([((1, 2), 3)])).is_err());
    assert_eq!(history.len(), 2);
    assert_eq!(history.iter().next().unwrap().task(), "note");
    assert_eq!(
        serde_json::to_string(&history).unwrap(),
        r#"[{"task":"note","text":"a\nb"},"plain"]"#
    );
}

#[test]
fn entries_are_shown_as_they_are_kept() {
    let json = r#"[{"task":"a","output":{"b" : 1.10,   "a":"\u00e4"}}]"#;
    let mut history = History::new();
    history.push(of_output("a", raw(r#"{"b" : 1.10,   "a":"\u00e4"}"#)), None);
    assert_eq!(serde_json::to_string(&history).unwrap(), json);
}

#[test]
fn knows_the_task() {
    assert_eq!(entry(1).task(), "add");
    let strange: History = serde_json::from_str("[{}, 1, \"x\"]").unwrap();
    assert!(strange.iter().all(|entry| entry.task().is_empty()));
}

#[test]
fn the_choice_of_an_entry_is_the_same_when_it_is_read_again() {
    for words in ["go on", "", "say \"a\",\"stepAfter\":\"b\"", "ü\\\n"] {
        let made = HistoryEntry::from_transition("hub", "write", words, words).unwrap();
        let json = serde_json::to_string(&made).unwrap();
        let read: HistoryEntry = serde_json::from_str(&json).unwrap();
        let intent = serde_json::to_string(words).unwrap();
        let choice = format!(r#"{{"task":"hub","goTo":"write","intent":{intent}"#);
        // Without the quotation mark that ends the intent.
        assert_eq!(made.choice(), choice.get(..choice.len() - 1));
        assert_eq!(read.choice(), made.choice());
    }
    let only = HistoryEntry::from_only_transition("hub", "write").unwrap();
    assert_eq!((only.choice(), only.kind), (None, EntryKind::OnlyTransition));
}

#[test]
fn a_repeated_transition_is_shown_again_when_the_first_one_was_dropped() {
    let go = || HistoryEntry::from_transition("hub", "write", "on", "stop").unwrap();
    let shown = |history: &History| history.iter().map(|it| !it.is_repeated()).collect::<Vec<_>>();
    let mut history = History::new();
    for entry in [go(), entry(1), go(), entry(1)] {
        history.push(entry, Some(4));
    }
    assert_eq!(shown(&history), [true, true, false, true]);
    let read: History = serde_json::from_str(&serde_json::to_string(&history).unwrap()).unwrap();
    assert_eq!(shown(&read), shown(&history));
    assert_eq!(shown(&history.without_first(1)), [true, true, true]);
    history.push(go(), Some(4));
    assert_eq!(shown(&history), [true, true]);
}

#[test]
fn a_mirror_looks_the_same_when_it_is_read_again() {
    let mut mirror = History::new();
    for _ in 0..2 {
        mirror.push_newest(
            HistoryEntry::from_transition("hub", "write", "on", "stop").unwrap(),
            None,
        );
    }
    let read: History = serde_json::from_str(&serde_json::to_string(&mirror).unwrap()).unwrap();
    assert_eq!(format!("{read:?}"), format!("{mirror:?}"));
}
