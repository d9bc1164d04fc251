//! What several rules need.

use std::collections::HashSet;

use crate::block::BlockKind;

/// Values in the order of their first occurrence.
pub(super) fn unique<T: Clone + Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.filter(|value| seen.insert(value.clone())).collect()
}

/// Whether the model makes such structures, or the tools it calls.
pub(super) const fn is_of_turn(kind: BlockKind) -> bool {
    !matches!(kind, BlockKind::System | BlockKind::Tool | BlockKind::User)
}
