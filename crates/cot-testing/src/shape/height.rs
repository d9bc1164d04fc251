//! Minimal depth of the values of a shape.

use super::node::{Objects, Shape, ShapeId};

/// Returns the depth of the smallest value of each shape; `None` if all values are infinite.
pub(super) fn minimal_heights(shapes: &[Shape]) -> Vec<Option<u32>> {
    let mut heights = vec![None; shapes.len()];
    // Each round resolves at least one more shape, or is the last. Shapes precede those inside them, so that
    // the first round resolves most.
    loop {
        let mut is_last = true;
        for (id, shape) in shapes.iter().enumerate().rev() {
            let found = height(shape, &heights);
            is_last &= heights[id] == found;
            heights[id] = found;
        }
        if is_last {
            return heights;
        }
    }
}

fn height(shape: &Shape, known: &[Option<u32>]) -> Option<u32> {
    let of = |id: &ShapeId| known.get(*id).copied().flatten();
    match shape {
        Shape::Nothing => None,
        // One level above the smallest branch, so that a choice is never the smallest of its own branches.
        Shape::Either(branches) => {
            branches.iter().filter_map(of).min().map(|least| least.saturating_add(1))
        }
        Shape::List(list) => {
            let needed = usize::try_from(list.min).unwrap_or(usize::MAX);
            let prefix = list.prefix.iter().take(needed);
            let items = (needed > list.prefix.len()).then_some(list.items.as_ref()).flatten();
            above(prefix.chain(items).chain(&list.contains).map(of))
        }
        Shape::Object(objects) => {
            let members = objects.members.iter().filter(|member| member.required);
            above(members.map(|member| &member.shape).chain(needed_extra(objects)).map(of))
        }
        _ => Some(0),
    }
}

/// Returns the shape of the extra members that an object needs to reach its minimum size.
fn needed_extra(objects: &Objects) -> Option<&ShapeId> {
    let extra = objects.extra.as_ref()?;
    (objects.min > objects.members.len() as u64).then_some(&extra.shape)
}

fn above(heights: impl Iterator<Item = Option<u32>>) -> Option<u32> {
    let highest = heights.into_iter().try_fold(0, |highest, height| Some(height?.max(highest)));
    highest.map(|highest: u32| highest.saturating_add(1))
}
