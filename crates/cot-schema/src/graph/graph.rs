//! The compiled form of a schema.

use super::node::{Node, NodeId};

/// A compiled JSON schema: one [`Node`] for each place of a value, with links to the nodes of its members
/// and items. Recursive schemas are cycles.
#[derive(Debug)]
pub struct SchemaGraph {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeId,
}

impl SchemaGraph {
    /// Returns the node of the root schema.
    pub const fn root(&self) -> NodeId {
        self.root
    }

    /// Returns a node by its position.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }
}
