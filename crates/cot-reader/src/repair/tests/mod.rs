//! The catalogue is complete: each repair has an example that needs it.

use std::collections::HashSet;

use self::{cases::CASES, sample::repairs_of};
use super::catalogue::RepairKind;

mod cases;
mod sample;

#[test]
fn each_example_needs_its_repair() {
    for (kind, schema, besides) in CASES {
        let example = kind.example();
        let found: HashSet<_> = repairs_of(example, *schema).into_iter().collect();
        let expected: HashSet<_> = besides.iter().copied().chain([*kind]).collect();
        assert_eq!(found, expected, "{kind:?}: {example}");
    }
}

#[test]
fn each_repair_has_a_case() {
    let cases = CASES.iter().map(|(kind, ..)| *kind);
    let cases: Vec<_> =
        cases.chain(RepairKind::TRANSITION_REPAIRS).chain(RepairKind::CALL_REPAIRS).collect();
    assert_eq!(cases, RepairKind::ALL, "in the order of the catalogue");
}

#[test]
fn ids_tell_repairs_apart() {
    let is_id = |id: &str| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let ids: HashSet<_> = RepairKind::ALL.iter().map(|kind| kind.id()).collect();
    assert_eq!(ids.len(), RepairKind::ALL.len());
    assert!(ids.into_iter().all(is_id));
    assert!(RepairKind::ALL.iter().all(|kind| kind.cost() > 0));
}
