//! The shapes of one schema.

use serde_json::Value;

use super::{
    builder, height,
    node::{Shape, ShapeId},
};

/// The shapes of one schema.
#[derive(Debug)]
pub(in crate::testing) struct Shapes {
    shapes: Vec<Shape>,
    /// How many levels the smallest value of each shape has; `None` where no value is finite.
    heights: Vec<Option<u32>>,
    root: ShapeId,
}

impl Shapes {
    /// Takes a schema apart.
    pub(in crate::testing) fn of(schema: &Value) -> Self {
        let (shapes, root) = builder::build(schema);
        let heights = height::of(&shapes);
        Self { shapes, heights, root }
    }

    pub(in crate::testing) const fn root(&self) -> ShapeId {
        self.root
    }

    /// A shape at a position that one of these shapes, or the root, holds.
    pub(in crate::testing) fn at(&self, id: ShapeId) -> &Shape {
        &self.shapes[id]
    }

    /// How many levels the smallest value has.
    pub(in crate::testing) fn height(&self, id: ShapeId) -> Option<u32> {
        self.heights.get(id).copied().flatten()
    }
}
