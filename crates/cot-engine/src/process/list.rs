//! The processes within a process, as a list of types that becomes constants down to a depth.

/// The processes that a process runs: `()`, or a process and the others.
pub trait ProcessList {
    /// The list, and what is within each of it down to a depth.
    type At<D: Depth>: Nodes;
}

impl ProcessList for () {
    type At<D: Depth> = ();
}

/// How many processes are followed, each within the one before.
pub trait Depth {
    /// A list at a depth of one less.
    type Below<L: ProcessList>: Nodes;
}

impl Depth for () {
    type Below<L: ProcessList> = ();
}

impl<D: Depth> Depth for Option<D> {
    type Below<L: ProcessList> = L::At<D>;
}

/// A list of processes as constants.
pub trait Nodes {
    /// The first of them.
    const FIRST: Option<&'static Node>;
}

impl Nodes for () {
    const FIRST: Option<&'static Node> = None;
}

/// A process in a list.
#[derive(Debug)]
pub struct Node {
    pub(crate) name: &'static str,
    /// Where it is declared: names may be there twice.
    pub(crate) place: &'static str,
    pub(crate) within: Option<&'static Self>,
    pub(crate) next: Option<&'static Self>,
}
