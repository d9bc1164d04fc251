//! Pointers to the places of a form: the segments of the way from the root, each followed by `/`.

/// The pointer of the whole answer.
pub(super) const ROOT: &str = "/";

/// Returns the pointer of a member of the object at `parent`.
pub(super) fn member(parent: &str, name: &str) -> String {
    format!("{parent}{}/", name.replace('~', "~0").replace('/', "~1"))
}

/// Returns the pointer of a row of the list or map at `parent`.
pub(super) fn row(parent: &str, index: usize) -> String {
    format!("{parent}{index}/")
}

/// Returns the pointer of the members that the schema of the object at `parent` does not name.
pub(super) fn rest(parent: &str) -> String {
    format!("{parent}~x/")
}

/// Returns the pointer of the fields of the chosen variant at `parent`.
pub(super) fn case(parent: &str) -> String {
    format!("{parent}~v/")
}

/// Returns the id of the element of a place: letters, digits, `-` and `_` only.
pub(super) fn element_id(pointer: &str) -> String {
    let mut id = "field".to_owned();
    for byte in pointer.strip_suffix('/').unwrap_or(pointer).bytes() {
        match byte {
            b'/' => id.push('-'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => id.push(char::from(byte)),
            _ => id.push_str(&format!("_{byte:02x}")),
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_and_ids_are_unambiguous() {
        assert_eq!(member(ROOT, "a/b~"), "/a~1b~0/");
        assert_eq!(rest(&row(&member(ROOT, "a"), 2)), "/a/2/~x/");
        assert_eq!(element_id(ROOT), "field");
        assert_eq!(element_id("/a_b/2/"), "field-a_5fb-2");
        assert_ne!(element_id(&member(ROOT, "a b")), element_id(&member(ROOT, "a_20b")));
    }
}
