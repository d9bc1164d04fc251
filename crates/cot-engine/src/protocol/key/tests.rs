//! Keys as text, and their order.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::call_key::*;

#[test]
fn a_key_is_read_from_its_text() {
    for text in [
        "a#1@1",
        "a#1[0]@2",
        "a#12/b#3[10]@4",
        "a#1@2/b#3@1",
        "a#1@2+check",
        "a#1@1+round-2",
        "a#1/b#2@2+tool-3",
        "a#1@1+approve-12",
        "a#1[7]/b#1@1",
        "a#1[7]@2/b#3[1]/c#1[0]@4",
    ] {
        let key = CallKey::try_from(text.to_owned()).unwrap();
        assert_eq!(key.to_string(), text);
    }
    let key = CallKey::try_from("a#12/b#3[10]@4".to_owned()).unwrap();
    assert_eq!((key.task(), key.visit(), key.item(), key.attempt()), ("b", 3, Some(10), 4));
    for text in [
        "",
        "a",
        "a#1",
        "a@1",
        "#1@1",
        "a#x@1",
        "a#1[@1",
        "a#1]@1",
        "a#1[x]@1",
        "a#1@1/b#1@1",
        "a#1[2/b#1@1",
        "a#1]/b#1@1",
        "a[2]#1/b#1@1",
        "a#1@+check",
        "a#1@1+tool-0",
        "a#1@1+tool-",
        "a#1@1+tool-x",
        "a#1@1+call-1",
        "a#1+tool-1",
        "a#1@1+",
    ] {
        assert!(CallKey::try_from(text.to_owned()).is_err(), "{text}");
    }
}

fn parts() -> impl Strategy<Value = CallPart> {
    prop_oneof![
        Just(CallPart::Main),
        Just(CallPart::Check),
        (1..=u32::MAX).prop_map(CallPart::Round),
        (1..=u32::MAX).prop_map(CallPart::Approval),
        (1..=u32::MAX).prop_map(CallPart::Tool),
    ]
}

fn visits() -> impl Strategy<Value = VisitKey> {
    let item = proptest::option::of(0..9_usize);
    let visit = ("[a-z_]{1,6}", 1..9_u32, item, 1..4_u32);
    visit.prop_map(|(task, number, item, attempt)| VisitKey {
        task: task.into(),
        number,
        item,
        attempt,
    })
}

proptest! {
    #[test]
    fn every_key_is_read_back_and_unique(
        outer in proptest::collection::vec(visits(), 0..3),
        visit in visits(),
        (part, other) in (parts(), parts()),
    ) {
        let outer = (!outer.is_empty()).then(|| outer.into());
        let key = CallKey::new(outer, visit).with_part(part);
        prop_assert_eq!(&CallKey::try_from(key.to_string()).unwrap(), &key);
        let other = key.clone().with_part(other);
        prop_assert_eq!(key.to_string() == other.to_string(), key == other);
        prop_assert_eq!(key.cmp(&other) == Ordering::Equal, key == other);
        prop_assert!(!key.without_attempt().contains('@') || key.outer.is_some());
    }
}
