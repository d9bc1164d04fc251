//! The schema graph with the methods of coercion.

use cot_schema::internal::{Node, NodeId, Others, SchemaGraph, Types};

/// A schema graph, with methods for coercion.
#[derive(Debug, Clone, Copy)]
pub struct CoercionGraph<'s> {
    graph: &'s SchemaGraph,
}

impl<'s> CoercionGraph<'s> {
    /// Wraps the graph of a schema.
    pub const fn new(graph: &'s SchemaGraph) -> Self {
        Self { graph }
    }

    /// Returns whether a key names a member of the schema.
    pub fn knows_key(self, key: &str) -> bool {
        self.knows(self.root(), key)
    }

    pub(super) const fn root(self) -> NodeId {
        self.graph.root()
    }

    /// Returns a node by its position.
    pub(super) fn node(self, id: NodeId) -> Option<&'s Node> {
        self.graph.node(id)
    }
}

/// Returns whether the schema accepts the empty object alone.
pub fn takes_no_members(shape: CoercionGraph<'_>) -> bool {
    shape.node(shape.root()).is_some_and(|node| {
        node.types == Types::OBJECT
            && node.either.is_none()
            && node.objects.properties.is_empty()
            && node.objects.patterns.is_empty()
            && node.objects.others == Others::Closed
    })
}
