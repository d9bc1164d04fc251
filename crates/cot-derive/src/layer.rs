//! Classifies wrappers and collections around a type, by name.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The outermost layer of a type.
#[derive(Debug, Clone, Copy)]
pub(super) enum Layer<'a> {
    /// `Option`.
    Optional(&'a Type),
    /// `Box` and other pointers, which JSON does not show.
    Pointer(&'a Type),
    /// A list, whose items have the order of the JSON.
    List(&'a Type),
    /// A set.
    Set(&'a Type),
    /// A map, with the types of its keys and its values.
    Map(&'a Type, &'a Type),
    /// Any other type.
    Inner(&'a Type),
}

const POINTERS: &[&str] = &["Box", "Arc", "Rc"];
const LISTS: &[&str] = &["Vec", "VecDeque", "LinkedList"];
const SETS: &[&str] = &["HashSet", "BTreeSet", "IndexSet", "BinaryHeap"];
pub(super) const MAPS: &[&str] = &["HashMap", "BTreeMap", "IndexMap"];

impl<'a> Layer<'a> {
    pub(super) fn from_type(ty: &'a Type) -> Self {
        match ty {
            Type::Path(path) if path.qself.is_none() => {
                let layer = path.path.segments.last().and_then(Self::from_segment);
                layer.unwrap_or(Self::Inner(ty))
            }
            Type::Array(array) => Self::List(&array.elem),
            Type::Group(group) => Self::from_type(&group.elem),
            Type::Paren(paren) => Self::from_type(&paren.elem),
            _ => Self::Inner(ty),
        }
    }

    fn from_segment(segment: &'a PathSegment) -> Option<Self> {
        let name = segment.ident.to_string();
        let is_in = |names: &[&str]| names.contains(&name.as_str());
        let mut arguments = types(&segment.arguments);
        let first = arguments.next()?;
        if name == "Option" {
            Some(Self::Optional(first))
        } else if is_in(POINTERS) {
            Some(Self::Pointer(first))
        } else if is_in(LISTS) {
            Some(Self::List(first))
        } else if is_in(SETS) {
            Some(Self::Set(first))
        } else if is_in(MAPS) {
            Some(Self::Map(first, arguments.next()?))
        } else {
            None
        }
    }

    /// Returns the outermost layer that is not a pointer.
    pub(super) fn unboxed(ty: &'a Type) -> Self {
        match Self::from_type(ty) {
            Self::Pointer(inner) => Self::unboxed(inner),
            layer => layer,
        }
    }

    /// Returns the type inside all layers. For a map, continues with the type of its values.
    pub(super) fn innermost(ty: &'a Type) -> &'a Type {
        match Self::from_type(ty) {
            Self::Inner(ty) => ty,
            Self::Optional(inner)
            | Self::Pointer(inner)
            | Self::List(inner)
            | Self::Set(inner)
            | Self::Map(_, inner) => Self::innermost(inner),
        }
    }
}

/// Returns the types among the generic arguments of a path segment.
pub(super) fn types(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    let arguments = match arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
