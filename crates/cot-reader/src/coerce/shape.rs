//! The schema graph with the methods of coercion.

use cot_schema::internal::{Node, NodeId, SchemaGraph};

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

    pub(super) const fn root(self) -> NodeId {
        self.graph.root()
    }

    /// Returns a node by its position.
    pub(super) fn node(self, id: NodeId) -> Option<&'s Node> {
        self.graph.node(id)
    }
}
