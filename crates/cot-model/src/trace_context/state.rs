//! The list of vendors' values that accompanies a trace.

/// The maximum number of members.
const MAX_MEMBERS: usize = 32;
/// The length of a list up to which it is propagated whole.
const MAX_LENGTH: usize = 512;
/// The length of a member above which it is left out first.
const LARGE_MEMBER: usize = 128;

/// Parses a list, and returns it without white space and empty members. An empty text is an empty list; `None` if
/// it is not valid.
///
/// Of a list that is longer than propagated, long members are left out, then the last ones.
pub(super) fn normalize(text: &str) -> Option<String> {
    let members = text.split(',').map(|member| member.trim_matches([' ', '\t']));
    let mut members: Vec<&str> = members.filter(|member| !member.is_empty()).collect();
    if members.len() > MAX_MEMBERS || !members.iter().all(|member| is_member(member)) {
        return None;
    }
    let length = |members: &[&str]| members.iter().map(|member| member.len() + 1).sum::<usize>();
    while length(&members) > MAX_LENGTH + 1 {
        let large = members.iter().rposition(|member| member.len() > LARGE_MEMBER);
        members.remove(large.unwrap_or(members.len() - 1));
    }
    Some(members.join(","))
}

fn is_member(member: &str) -> bool {
    member.split_once('=').is_some_and(|(key, value)| is_key(key) && is_value(value))
}

fn is_key(key: &str) -> bool {
    match key.split_once('@') {
        Some((tenant, system)) => {
            is_name(tenant, 241, |first| is_letter(first) || first.is_ascii_digit())
                && is_name(system, 14, is_letter)
        }
        None => is_name(key, 256, is_letter),
    }
}

fn is_name(name: &str, max_length: usize, may_be_first: impl Fn(u8) -> bool) -> bool {
    let is_of_name = |byte: u8| is_letter(byte) || byte.is_ascii_digit() || b"_-*/".contains(&byte);
    name.len() <= max_length
        && name.bytes().next().is_some_and(may_be_first)
        && name.bytes().all(is_of_name)
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_lowercase()
}

/// The caller has removed the white space at the end.
fn is_value(value: &str) -> bool {
    let is_of_value = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'=';
    (1..=256).contains(&value.len()) && value.bytes().all(is_of_value)
}
