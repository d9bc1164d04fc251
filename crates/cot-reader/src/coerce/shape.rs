//! A schema as values are brought towards it.

use cot_schema::internal::{Node, NodeId, SchemaGraph};

/// The graph of a schema, with what coercion asks of it.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'s> {
    graph: &'s SchemaGraph,
}

impl<'s> Shape<'s> {
    /// The shape of a schema.
    pub const fn new(graph: &'s SchemaGraph) -> Self {
        Self { graph }
    }

    pub(super) const fn root(self) -> NodeId {
        self.graph.root()
    }

    /// The node at a position that another one holds.
    pub(super) fn node(self, id: NodeId) -> Option<&'s Node> {
        self.graph.node(id)
    }
}
