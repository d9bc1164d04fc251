//! Detects names that are Rust keywords.

use syn::Ident;

use crate::diagnostics::Errors;

/// Reports a name that is a Rust keyword. Returns whether it is one.
pub(crate) fn report_keyword(name: &Ident, errors: &Errors) -> bool {
    if syn::parse_str::<Ident>(&name.to_string()).is_ok() {
        return false;
    }
    let never_raw = ["self", "Self", "super", "crate", "_"].iter().any(|word| name == word);
    let help = match never_raw {
        true => "choose another name".to_owned(),
        false => format!("write `r#{name}`, or choose another name"),
    };
    errors.add_with_help(name.span(), format!("`{name}` is a Rust keyword"), help);
    true
}
