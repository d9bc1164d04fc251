//! Checks that aliases of fields and variants are unambiguous.

use proc_macro2::Span;
use syn::{LitStr, ext::IdentExt};

use super::{
    attributes::{Attributes, Source, SourceItem},
    cot::Says,
    form::{Form, Output},
    names::{Name, Tagging},
    reserved::check_name,
};
use cot_syntax::diagnostics::Errors;

/// Checks that no alias of a field is a name or an alias of another field.
pub(super) fn check_fields(form: &Form<'_>, errors: &Errors) {
    let mut known = Vec::new();
    for member in &form.members {
        let Some(name) = &member.name else { continue };
        let what = format!("the field `{}`", member.called());
        check_reserved(&member.says, &what, errors);
        know(&mut known, name, &member.attributes, &member.says, &what);
    }
    check_differ(&known, errors);
}

/// Checks that no alias of a variant is a name or an alias of another variant.
pub(super) fn check_variants(output: &Output<'_>, errors: &Errors) {
    let mut known = Vec::new();
    for form in &output.forms {
        let Some(case) = form.variant.as_ref().filter(|case| case.is_read) else { continue };
        let what = format!("the variant `{}`", case.ident.unraw());
        let is_key = output.names().tagging(&case.attributes) == Tagging::External
            && !form.fields.is_empty();
        if is_key {
            check_reserved(&case.says, &what, errors);
        }
        know(&mut known, &case.name, &case.attributes, &case.says, &what);
    }
    check_differ(&known, errors);
}

/// Returns the aliases in attributes of `serde`.
pub(super) fn of_serde(attributes: &Attributes) -> impl Iterator<Item = String> {
    attributes.find(Source::Serde, "alias").filter_map(SourceItem::text).map(LitStr::value)
}

fn check_reserved(says: &Says, what: &str, errors: &Errors) {
    for alias in &says.aliases {
        check_name(&alias.value(), alias.span(), &format!("an alias of {what}"), errors);
    }
}

/// A name or an alias of a field or a variant.
struct Known {
    name: String,
    /// The field or the variant, for messages.
    what: String,
    is_alias: bool,
    /// The span of an alias in `#[cot(…)]`.
    span: Option<Span>,
}

fn know(known: &mut Vec<Known>, name: &Name, attributes: &Attributes, says: &Says, what: &str) {
    let entry = |name, is_alias, span| Known { name, what: what.to_owned(), is_alias, span };
    known.push(entry(name.0.clone(), false, None));
    known.extend(of_serde(attributes).map(|alias| entry(alias, true, None)));
    let own = says.aliases.iter();
    known.extend(own.map(|alias| entry(alias.value(), true, Some(alias.span()))));
}

/// Reports each alias that is also another name.
fn check_differ(known: &[Known], errors: &Errors) {
    for (index, alias) in known.iter().enumerate() {
        let Some(span) = alias.span else { continue };
        // Of two equal aliases, the second is reported.
        let is_first = |(other, name): &(usize, &Known)| {
            name.name == alias.name && (*other < index || name.span.is_none())
        };
        let Some((_, other)) = known.iter().enumerate().find(is_first) else { continue };
        let taken = match other.is_alias {
            true => format!("already an alias of {}", other.what),
            false => format!("the name of {}", other.what),
        };
        let help = if other.what == alias.what { "remove it" } else { "choose another alias" };
        errors.add_with_help(span, format!("the alias `{}` is {taken}", alias.name), help);
    }
}
