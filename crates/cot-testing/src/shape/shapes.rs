//! The shapes of one schema.

use serde_json::Value;

use super::{
    builder, height,
    node::{Shape, ShapeId},
};

/// The shapes of one schema.
#[derive(Debug)]
pub(crate) struct Shapes {
    shapes: Vec<Shape>,
    /// The depth of the smallest value of each shape; `None` if all values are infinite.
    heights: Vec<Option<u32>>,
    root: ShapeId,
}

impl Shapes {
    /// Compiles a schema.
    pub(crate) fn compile(schema: &Value) -> Self {
        let (shapes, root) = builder::build(schema);
        let heights = height::minimal_heights(&shapes);
        Self { shapes, heights, root }
    }

    pub(crate) const fn root(&self) -> ShapeId {
        self.root
    }

    /// Returns a shape by its id, which must come from these shapes.
    pub(crate) fn at(&self, id: ShapeId) -> &Shape {
        &self.shapes[id]
    }

    /// Returns the depth of the smallest value.
    pub(crate) fn height(&self, id: ShapeId) -> Option<u32> {
        self.heights.get(id).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn choices_multiply_within_bounds() {
        let pair = |n: u32| json!({ "anyOf": [{ "const": 1 }, { "const": 1, "maximum": n + 1 }] });
        let shapes = Shapes::compile(&json!({ "allOf": (0..30).map(pair).collect::<Vec<_>>() }));
        let Shape::Either(cases) = shapes.at(shapes.root()) else { panic!("{shapes:?}") };
        assert_eq!(cases.len(), 256);
        assert!(cases.iter().all(|case| shapes.height(*case) == Some(0)));
    }

    #[test]
    fn circles_have_no_values() {
        let height = |schema| {
            let shapes = Shapes::compile(&schema);
            shapes.height(shapes.root())
        };
        assert_eq!(height(json!({ "$ref": "#" })), None);
        assert_eq!(height(json!({ "$ref": "#/$defs/none" })), None);
        assert_eq!(height(json!({ "anyOf": [{ "$ref": "#" }] })), None);
        assert!(height(json!({ "anyOf": [{ "$ref": "#" }, { "type": "null" }] })).is_some());
    }

    #[test]
    fn schemas_may_be_deep() {
        let next = |n: u32| {
            let next = json!({ "$ref": format!("#/$defs/{}", n + 1) });
            let object = json!({ "properties": { "next": next }, "required": ["next"] });
            (n.to_string(), object)
        };
        let mut definitions: serde_json::Map<_, _> = (0..5000).map(next).collect();
        definitions.insert("5000".to_owned(), json!({ "type": "null" }));
        let shapes = Shapes::compile(&json!({ "$ref": "#/$defs/0", "$defs": definitions }));
        assert_eq!(shapes.height(shapes.root()), Some(5000));
    }
}
