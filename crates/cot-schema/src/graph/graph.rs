//! The graph of a schema.

use super::node::{Node, NodeId};

/// A compiled JSON schema: a node for each of its places, linked by the schemas that apply there.
#[derive(Debug)]
pub struct SchemaGraph {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeId,
}

impl SchemaGraph {
    /// The node of the schema itself.
    pub const fn root(&self) -> NodeId {
        self.root
    }

    /// The node at a position that another one holds.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }
}
