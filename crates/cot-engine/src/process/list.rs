//! Sub-processes as a type-level list that becomes constants down to a maximum depth.

/// The list of the sub-processes of a process: `()`, or a pair of a process and the rest.
pub trait ProcessList {
    /// The list with its sub-processes down to a depth.
    type At<D: Depth>: Nodes;
}

impl ProcessList for () {
    type At<D: Depth> = ();
}

/// The number of levels of sub-processes to follow.
pub trait Depth {
    /// A list with one level less to follow.
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
    /// The first node of the list.
    const FIRST: Option<&'static Node>;
}

impl Nodes for () {
    const FIRST: Option<&'static Node> = None;
}

/// A process in a list.
#[derive(Debug)]
pub struct Node {
    pub(crate) name: &'static str,
    /// The source location of the declaration, which is unique; names need not be.
    pub(crate) place: &'static str,
    pub(crate) within: Option<&'static Self>,
    pub(crate) next: Option<&'static Self>,
}
