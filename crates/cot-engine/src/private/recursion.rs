//! Detects processes that run each other, at compile time.
//!
//! The constants of two such processes would refer to each other, which rustc reports as an unnamed cycle.
//! Therefore sub-processes are a type-level list, which becomes constants only down to a maximum depth.

use std::marker::PhantomData;

use super::const_text::ConstText;
use crate::process::{
    list::{Depth, Node, Nodes, ProcessList},
    process::Process,
};

impl<P: Process, L: ProcessList> ProcessList for (P, L) {
    type At<D: Depth> = Link<P, L, D>;
}

/// A list at a depth, as its first process and the rest.
#[derive(Debug)]
pub struct Link<P, L, D>(PhantomData<(P, L, D)>);

impl<P: Process, L: ProcessList, D: Depth> Nodes for Link<P, L, D> {
    const FIRST: Option<&'static Node> = Some(&Node {
        name: P::DEFINITION.about.name,
        place: P::PLACE,
        within: <D::Below<P::SubProcesses> as Nodes>::FIRST,
        next: <L::At<D> as Nodes>::FIRST,
    });
}

/// Four more levels.
type FourLevels<D> = Option<Option<Option<Option<D>>>>;
/// Sixteen more levels.
type SixteenLevels<D> = FourLevels<FourLevels<FourLevels<FourLevels<D>>>>;
/// [`DEEPEST`] levels.
pub(super) type DeepestLevel = SixteenLevels<SixteenLevels<()>>;
const DEEPEST: usize = 32;

/// Fails to compile if a process runs itself through its sub-processes.
#[track_caller]
pub const fn check_runs_end<P: Process>() {
    if let Some(root) = <<(P, ()) as ProcessList>::At<DeepestLevel> as Nodes>::FIRST {
        let mut path = ProcessPath { nodes: [root; DEEPEST], length: 0 };
        if path.extend(root) && path.starts_at_smallest() {
            path.text().panic();
        }
    }
}

/// A path from a process through its sub-processes.
struct ProcessPath {
    nodes: [&'static Node; DEEPEST],
    length: usize,
}

impl ProcessPath {
    /// Extends the path by a process and its sub-processes. Returns whether the path leads back to its start.
    const fn extend(&mut self, node: &'static Node) -> bool {
        if self.length > 0 && self.nodes[0].is_same(node) {
            return true;
        }
        if self.length == DEEPEST || self.contains(node) {
            return false;
        }
        self.nodes[self.length] = node;
        self.length += 1;
        let mut next = node.within;
        while let Some(inner) = next {
            if self.extend(inner) {
                return true;
            }
            next = inner.next;
        }
        self.length -= 1;
        false
    }

    const fn contains(&self, node: &Node) -> bool {
        let mut index = 0;
        while index < self.length {
            if self.nodes[index].is_same(node) {
                return true;
            }
            index += 1;
        }
        false
    }

    /// Returns whether the first process of the path is the one with the smallest location: each cycle is
    /// reported once.
    const fn starts_at_smallest(&self) -> bool {
        let mut index = 1;
        while index < self.length {
            let (first, other) = (self.nodes[0].place, self.nodes[index].place);
            if is_before(other.as_bytes(), first.as_bytes()) {
                return false;
            }
            index += 1;
        }
        true
    }

    const fn text(&self) -> ConstText {
        let mut text = ConstText::new();
        text.push("processes run each other without end: ");
        let mut index = 0;
        while index < self.length {
            text.push(self.nodes[index].name);
            text.push(" -> ");
            index += 1;
        }
        text.push(self.nodes[0].name);
        text.push(" [COT0128]");
        text
    }
}

impl Node {
    const fn is_same(&self, other: &Self) -> bool {
        let (place, other) = (self.place.as_bytes(), other.place.as_bytes());
        !is_before(place, other) && !is_before(other, place)
    }
}

const fn is_before(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && index < b.len() {
        if a[index] != b[index] {
            return a[index] < b[index];
        }
        index += 1;
    }
    a.len() < b.len()
}
