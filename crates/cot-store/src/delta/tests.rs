use proptest::prelude::*;
use serde_json::{Value, json};

use super::delta::*;

/// A typical snapshot after so many steps, with as many fields in its state.
fn snapshot(steps: usize) -> Value {
    let field = |i: usize| json!({ "name": format!("field{i}"), "title": "Größe", "kind": "text" });
    let said = |i: usize| json!({ "task": "add_field", "output": field(i) });
    let fields: Vec<Value> = (0..steps).map(field).collect();
    let history: Vec<Value> = (steps.saturating_sub(20)..steps).map(said).collect();
    json!({
        "position": { "at": { "arrival": { "task": "decide" }, "has_waited": false } },
        "goal": "Add the fields that a search needs",
        "state": { "fields": fields, "by_name": {} },
        "history": history,
        "last_output": said(steps - 1),
        "usage": { "calls": steps, "input_tokens": steps * 170, "output_tokens": steps * 31 },
        "fingerprint": { "graph": { "decide": "0123456789abcdef", "add_field": "123456789abcdef0" } },
    })
}

/// Checks the delta and returns its length as JSON.
fn size(old: &str, new: &str) -> usize {
    let delta = Delta::between(old, new);
    let json = serde_json::to_string(&delta).unwrap();
    let read: Delta = serde_json::from_str(&json).unwrap();
    assert_eq!(read, delta);
    assert_eq!(read.apply(old).as_deref(), Ok(new));
    json.len()
}

fn changed(steps: usize, change: impl FnOnce(&mut Value)) -> usize {
    let old = snapshot(steps);
    let mut new = old.clone();
    change(&mut new);
    size(&old.to_string(), &new.to_string())
}

#[test]
fn small_changes_make_small_deltas() {
    let item = json!({ "name": "a_new_one", "title": null, "kind": "date" });
    let item_bytes = item.to_string().len();
    let append = |new: &mut Value| {
        new["state"]["fields"].as_array_mut().unwrap().push(item.clone());
    };
    let shift = |new: &mut Value| {
        let history = new["history"].as_array_mut().unwrap();
        history.remove(0);
        history.push(json!({ "task": "add_field", "output": item.clone() }));
    };
    let count = |new: &mut Value| new["usage"]["input_tokens"] = json!(1_000_000);
    let insert = |new: &mut Value| new["state"]["by_name"]["a_new_one"] = item.clone();

    assert_eq!(changed(100, |_| ()), "[[0,99999]]".len() - 1);
    assert!(changed(100, count) < 60);
    assert!(changed(100, append) < item_bytes + 60);
    assert!(changed(100, insert) < item_bytes + 60);
    assert!(changed(100, shift) < item_bytes + 140);
    let all = changed(100, |new| {
        append(new);
        shift(new);
        count(new);
        insert(new);
    });
    assert!(all < item_bytes + 300, "what is new in three places is written once: {all}");
}

#[test]
fn a_step_takes_as_much_however_long_the_run() {
    for steps in [50, 500, 5000] {
        let size = size(&snapshot(steps).to_string(), &snapshot(steps + 1).to_string());
        assert!(size < 600, "{size} bytes after {steps} steps");
    }
}

#[test]
fn nothing_in_common_costs_little_more_than_the_text() {
    let new: String = (0..2000u32).map(|i| char::from(b'#' + (i * i % 50) as u8)).collect();
    let json = serde_json::to_string(&new).unwrap();
    for old in ["", "x", &"y".repeat(5000)] {
        assert!(size(old, &new) <= json.len() + 2);
    }
}

#[test]
fn repetitive_texts_take_no_longer() {
    let a = "a".repeat(1 << 20);
    for (old, new) in [
        (a.as_str(), format!("{}X{}", &a[..1 << 19], &a[..1 << 19])),
        (a.as_str(), "ab".repeat(1 << 19)),
        ("", "0123456789abcdefX".repeat(1 << 16)),
        ("", a.clone()),
    ] {
        let delta = Delta::between(old, &new);
        assert_eq!(delta.apply(old).as_deref(), Ok(new.as_str()));
    }
}

#[test]
fn a_damaged_delta_is_refused() {
    let apply = |json: Value| serde_json::from_value::<Delta>(json).unwrap().apply("äbc");
    assert_eq!(apply(json!([[0, 2], "x", [4, 2]])).as_deref(), Ok("äxä"));
    for damaged in [
        json!([[0, 1]]),
        json!([[1, 1]]),
        json!([[2, 3]]),
        json!([[4, 1]]),
        json!(["ä", [5, 1]]),
        json!(["ä", [4, 1]]),
        json!([[usize::MAX, 1]]),
        json!([[1, usize::MAX]]),
        json!(["x", [usize::MAX, usize::MAX]]),
    ] {
        assert_eq!(apply(damaged.clone()), Err(DeltaError), "{damaged}");
    }
}

#[test]
fn a_damaged_delta_does_not_take_all_memory() {
    let double = (0..60).map(|i| json!([4, 1_u64 << i]));
    let bomb = std::iter::once(json!("x")).chain(double).collect::<Vec<_>>();
    let bomb: Delta = serde_json::from_value(Value::Array(bomb)).unwrap();
    assert_eq!(bomb.apply("äbc"), Err(DeltaError));
}

/// Texts of few distinct words, so that there are many copies, with characters of all lengths.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => Just("the same words again and again, ".to_owned()),
        2 => Just("ääöü€𝑝".repeat(7)),
        1 => "[a-c\"\\\\]{0,5}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(word, 0..12).prop_map(|words| words.concat())
}

/// A text, and an edited version of it.
fn edited() -> impl Strategy<Value = (String, String)> {
    (text(), proptest::collection::vec((any::<u16>(), any::<u8>(), text()), 0..4)).prop_map(
        |(old, edits)| {
            let mut new = old.clone();
            for (at, cut, insert) in edits {
                let start = new.floor_char_boundary(usize::from(at) % (new.len() + 1));
                let end = new.ceil_char_boundary(new.len().min(start + usize::from(cut) / 8));
                new.replace_range(start..end, &insert);
            }
            (old, new)
        },
    )
}

proptest! {
    #[test]
    fn the_new_text_comes_back((old, new) in prop_oneof![edited(), (text(), text())]) {
        let json = serde_json::to_string(&new).unwrap();
        prop_assert!(size(&old, &new) <= json.len() + 2);
    }

    #[test]
    fn no_delta_panics(
        pieces in proptest::collection::vec(
            prop_oneof![
                (0..40_usize, 0..40_usize).prop_map(|(from, length)| json!([from, length])),
                any::<String>().prop_map(Value::String),
            ],
            0..8,
        ),
        old in text(),
    ) {
        let delta: Delta = serde_json::from_value(Value::Array(pieces)).unwrap();
        let _ = delta.apply(&old);
    }
}
