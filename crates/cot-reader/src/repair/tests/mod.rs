//! The catalogue is whole: each repair has an example that needs it, and nothing is reported that is not in it.

use std::{collections::HashSet, fs, path::Path};

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
    let cases: Vec<_> = cases.chain(RepairKind::OF_CHOICES).collect();
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

/// Types see to it that only a row of the catalogue becomes a pending repair. That these are what is reported
/// shows in the source: nothing else makes a `Repair`.
#[test]
fn repairs_are_made_of_the_catalogue_alone() {
    let mut found = Vec::new();
    add_makers(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert_eq!(found, ["repairs.rs"]);
}

/// Adds the files below a folder that make a `Repair`.
fn add_makers(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_makers(&path, found);
        } else if makes_repair(&fs::read_to_string(&path).unwrap()) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
}

fn makes_repair(source: &str) -> bool {
    let maker = format!("{} {{", "Repair");
    let is_made = |(at, _): (usize, &str)| {
        let before = source[..at].trim_end();
        !source[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '_'))
            && !["struct", "for", "->"].iter().any(|word| before.ends_with(word))
    };
    source.match_indices(&maker).any(is_made)
}
