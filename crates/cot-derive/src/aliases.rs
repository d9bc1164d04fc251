//! Checks that aliases of fields and variants are unambiguous.

use proc_macro2::Span;
use syn::{LitStr, ext::IdentExt};

use super::{
    attributes::{Attributes, Source, SourceItem},
    cot::CotAttributes,
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
        let what = format!("the field `{}`", member.display_name());
        check_reserved(&member.cot, &what, errors);
        add_names(&mut known, name, &member.attributes, &member.cot, &what);
    }
    check_differ(&known, errors);
}

/// Checks that no alias of a variant is a name or an alias of another variant.
pub(super) fn check_variants(output: &Output<'_>, errors: &Errors) {
    let mut known = Vec::new();
    for form in &output.forms {
        let Some(case) = form.variant.as_ref().filter(|case| case.is_deserialized) else {
            continue;
        };
        let what = format!("the variant `{}`", case.ident.unraw());
        let is_key = output.names().tagging(&case.attributes) == Tagging::External
            && !form.fields.is_empty();
        if is_key {
            check_reserved(&case.cot, &what, errors);
        }
        add_names(&mut known, &case.name, &case.attributes, &case.cot, &what);
    }
    check_differ(&known, errors);
}

/// Returns the aliases in attributes of `serde`.
pub(super) fn serde_aliases(attributes: &Attributes) -> impl Iterator<Item = String> {
    attributes.find(Source::Serde, "alias").filter_map(SourceItem::text).map(LitStr::value)
}

fn check_reserved(cot: &CotAttributes, what: &str, errors: &Errors) {
    for alias in &cot.aliases {
        check_name(&alias.value(), alias.span(), &format!("an alias of {what}"), errors);
    }
}

/// A name or an alias of a field or a variant.
struct KnownName {
    name: String,
    /// The field or the variant, for messages.
    what: String,
    is_alias: bool,
    /// The span of an alias in `#[cot(…)]`.
    span: Option<Span>,
}

fn add_names(
    known: &mut Vec<KnownName>,
    name: &Name,
    attributes: &Attributes,
    cot: &CotAttributes,
    what: &str,
) {
    let entry = |name, is_alias, span| KnownName { name, what: what.to_owned(), is_alias, span };
    known.push(entry(name.0.clone(), false, None));
    known.extend(serde_aliases(attributes).map(|alias| entry(alias, true, None)));
    let own = cot.aliases.iter();
    known.extend(own.map(|alias| entry(alias.value(), true, Some(alias.span()))));
}

/// Reports each alias that is also another name.
fn check_differ(known: &[KnownName], errors: &Errors) {
    for (index, alias) in known.iter().enumerate() {
        let Some(span) = alias.span else { continue };
        // Of two equal aliases, the second is reported.
        let is_first = |(other, name): &(usize, &KnownName)| {
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
