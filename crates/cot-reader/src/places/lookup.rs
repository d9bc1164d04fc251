//! Finds a path that coercion has changed among the paths of a text.

use std::{collections::HashMap, ops::Range};

/// Maximum number of paths with which a path is compared that is not among them.
const MAX_COMPARED: usize = 5000;

/// Finds the range of a path: of the same one, or of the only one that differs from it as coercion makes paths
/// differ: in the case and the separators of keys, or by an object around the value.
pub(super) fn find<'p>(
    ranges: &'p HashMap<String, Range<usize>>,
    path: &str,
) -> Option<(&'p str, Range<usize>)> {
    if let Some((path, range)) = ranges.get_key_value(path) {
        return Some((path, range.clone()));
    }
    if ranges.len() > MAX_COMPARED {
        return None;
    }
    let wanted = plain(path);
    let only = |is_it: &dyn Fn(&str) -> bool| {
        let mut found = ranges.iter().filter(|(path, _)| is_it(&plain(path)));
        match (found.next(), found.next()) {
            (Some((path, range)), None) => Some((path.as_str(), range.clone())),
            _ => None,
        }
    };
    let inside = wanted.strip_prefix('$').filter(|inside| !inside.is_empty())?;
    only(&|path| path == wanted)
        .or_else(|| only(&|path| path.ends_with(inside)))
        .or_else(|| listed(ranges, path))
}

/// Finds the range of the first item of a list that coercion made of a single value.
fn listed<'p>(
    ranges: &'p HashMap<String, Range<usize>>,
    path: &str,
) -> Option<(&'p str, Range<usize>)> {
    let single = path.replace("[0]", "");
    let (path, range) = ranges.get_key_value(single.as_str()).filter(|_| single != path)?;
    Some((path, range.clone()))
}

/// Returns a path without the case and the separators of its keys.
fn plain(path: &str) -> String {
    let path = path.replace("[\"", ".").replace("\"]", "");
    let kept = path.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    kept.flat_map(char::to_lowercase).collect()
}
