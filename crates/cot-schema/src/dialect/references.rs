//! References to definitions, and recursive definitions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

pub(super) const DEFINITIONS: &str = "#/$defs/";

/// Returns the name of the definition that a schema references.
pub(super) fn definition_name(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(DEFINITIONS)
}

/// Collects the names of the definitions that a schema and its subschemas reference.
pub(super) fn references<'v>(schema: &'v Value, found: &mut BTreeSet<&'v str>) {
    match schema {
        Value::Object(members) => {
            found.extend(definition_name(schema));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Returns the names of the recursive definitions of a root schema.
pub(super) fn recursive_definitions(root: &Value) -> BTreeSet<&str> {
    let definitions = root.get("$defs").and_then(Value::as_object);
    let targets = definitions.into_iter().flatten().map(|(name, definition)| {
        let mut found = BTreeSet::new();
        references(definition, &mut found);
        (name.as_str(), found.into_iter().collect())
    });
    names_on_cycles(&targets.collect())
}

/// Returns the nodes of a graph that lie on a cycle, in time linear in the number of edges.
pub(super) fn names_on_cycles<'n>(targets: &BTreeMap<&'n str, Vec<&'n str>>) -> BTreeSet<&'n str> {
    let mut sources: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, found) in targets {
        found.iter().for_each(|target| sources.entry(target).or_default().push(name));
    }
    let mut finished = Vec::new();
    let mut seen = BTreeSet::new();
    targets.keys().for_each(|name| finished.extend(visit(name, targets, &mut seen)));
    // Kosaraju's algorithm: the nodes that reach the last finished one form a strongly connected component
    // with it.
    let mut circular = BTreeSet::new();
    seen.clear();
    for name in finished.into_iter().rev() {
        let group = visit(name, &sources, &mut seen);
        let leads_to_itself = || targets.get(name).is_some_and(|found| found.contains(&name));
        if group.len() > 1 || (group.len() == 1 && leads_to_itself()) {
            circular.extend(group);
        }
    }
    circular
}

/// Returns the unseen names that are reachable from `start`, in postorder, and marks them as seen.
fn visit<'n>(
    start: &'n str,
    targets: &BTreeMap<&'n str, Vec<&'n str>>,
    seen: &mut BTreeSet<&'n str>,
) -> Vec<&'n str> {
    let mut finished = Vec::new();
    let mut open = vec![(start, false)];
    while let Some((name, is_done)) = open.pop() {
        if is_done {
            finished.push(name);
        } else if seen.insert(name) {
            open.push((name, true));
            open.extend(targets.get(name).into_iter().flatten().map(|target| (*target, false)));
        }
    }
    finished
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_circles_are_found() {
        let edges: &[(&str, &[&str])] = &[
            ("a", &["b", "c"]),
            ("b", &["c"]),
            ("c", &["d", "e"]),
            ("d", &["b"]),
            ("e", &["f"]),
            ("f", &["f", "none"]),
            ("g", &["a"]),
        ];
        let targets = edges.iter().map(|(name, targets)| (*name, targets.to_vec())).collect();
        let found: Vec<_> = names_on_cycles(&targets).into_iter().collect();
        assert_eq!(found, ["b", "c", "d", "f"]);
    }
}
