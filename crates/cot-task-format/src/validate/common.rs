//! Helpers of several rules.

use std::collections::HashSet;

use crate::block::BlockKind;

/// Removes duplicates; keeps the order of first occurrence.
pub(super) fn unique<T: Clone + Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.filter(|value| seen.insert(value.clone())).collect()
}

/// Returns whether structures of this kind belong to a turn of the model, its tools included.
pub(super) const fn is_turn_block(kind: BlockKind) -> bool {
    !matches!(kind, BlockKind::System | BlockKind::Tool | BlockKind::User)
}
