//! Types whose values a program lists, so that no text from outside can be one of its own making.

use std::marker::PhantomData;

/// A type with a closed set of values: an enum of unit variants, a `bool`, and lists and options of them.
///
/// `#[derive(CotOutput)]` implements it for enums.
pub trait Closed {}

impl Closed for bool {}
impl Closed for () {}
impl<T: Closed> Closed for Option<T> {}
impl<T: Closed> Closed for Vec<T> {}
impl<T: Closed> Closed for Box<T> {}

/// Tells whether a type is [`Closed`], also for types that are not.
#[derive(Debug)]
pub struct Closedness<T>(PhantomData<T>);

// A constant of the type itself takes precedence over one of a trait.
impl<T: Closed> Closedness<T> {
    /// Whether the type has a closed set of values.
    pub const IS_CLOSED: bool = true;
}

/// The constant of types that are not [`Closed`].
pub trait MaybeOpen {
    /// Whether the type has a closed set of values.
    const IS_CLOSED: bool = false;
}

impl<T> MaybeOpen for Closedness<T> {}

/// A member of a struct, and whether its type has a closed set of values.
pub type MemberClosedness = (&'static str, bool);

/// Returns whether arguments with these members can have a value of any making. `content` are those that carry no
/// authority. Arguments whose members are not known can.
#[must_use]
pub const fn is_open(members: Option<&[MemberClosedness]>, content: &[&str]) -> bool {
    let Some(members) = members else { return true };
    let mut at = 0;
    while at < members.len() {
        let (name, is_closed) = members[at];
        if !is_closed && !lists(content, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the first name that is not one of the members, for which the index past the last stands.
#[must_use]
pub const fn first_unknown(members: Option<&[MemberClosedness]>, content: &[&str]) -> usize {
    let mut at = 0;
    while at < content.len() {
        if !has_member(members, content[at]) {
            return at;
        }
        at += 1;
    }
    at
}

const fn has_member(members: Option<&[MemberClosedness]>, name: &str) -> bool {
    let Some(members) = members else { return false };
    let mut at = 0;
    while at < members.len() {
        if is_same(members[at].0, name) {
            return true;
        }
        at += 1;
    }
    false
}

const fn lists(names: &[&str], wanted: &str) -> bool {
    let mut at = 0;
    while at < names.len() {
        if is_same(names[at], wanted) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_members_are_found_unless_they_are_content() {
        let members: &[MemberClosedness] = &[("to", true), ("body", false)];
        assert!(is_open(Some(members), &[]));
        assert!(is_open(Some(members), &["bod"]));
        assert!(!is_open(Some(members), &["body"]));
        assert!(is_open(None, &["body"]));
        assert!(!is_open(Some(&[]), &[]));
        assert_eq!(first_unknown(Some(members), &["body", "subject"]), 1);
        assert_eq!(first_unknown(Some(members), &["body"]), 1);
    }

    #[test]
    fn types_are_told_apart() {
        let closed = <Closedness<Option<Vec<bool>>>>::IS_CLOSED;
        let open = <Closedness<Vec<String>>>::IS_CLOSED;
        assert_eq!([closed, open], [true, false]);
    }
}
