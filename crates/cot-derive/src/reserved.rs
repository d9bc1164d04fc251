//! Checks for reserved names, which mark a reply as a transition.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Field, Fields, Ident, Variant, ext::IdentExt};

use super::{
    attributes::{Attributes, Source, SourceItem},
    names::{JsonNames, Name, NameRules, READ, SCHEMA, Tagging, WRITTEN},
};
use cot_syntax::diagnostics::{Errors, join_names};

const RESERVED: &[&str] = &["goTo", "intent", "stepAfter"];

const ALL_RULES: [&NameRules; 3] = [&READ, &WRITTEN, &SCHEMA];

/// Checks that no field, variant or tag has a reserved name.
pub(super) fn check(input: &DeriveInput, errors: &Errors) {
    let container = Attributes::new(&input.attrs);
    for rules in ALL_RULES {
        let names = JsonNames::new(rules, &container);
        if !names.is_replaced() && !names.is_transparent() {
            let check = ReservedNameCheck { names, errors };
            check.check_tags();
            check.check_data(&input.data);
        }
    }
}

/// Checks that a name in the JSON is not reserved.
pub(super) fn check_name(name: &str, span: Span, what: &str, errors: &Errors) {
    if RESERVED.contains(&name) {
        errors.add_with_help(
            span,
            format!("{what} is `{name}` in JSON, which marks a transition"),
            format!("choose another name; {} are reserved", join_names(RESERVED)),
        );
    }
}

struct ReservedNameCheck<'a> {
    names: JsonNames<'a>,
    errors: &'a Errors,
}

impl ReservedNameCheck<'_> {
    fn check_tags(&self) {
        for key in ["tag", "content"] {
            if let Some((name, span)) = self.names.member_name(key) {
                check_name(&name, span, &format!("the {key}"), self.errors);
            }
        }
    }

    fn check_data(&self, data: &Data) {
        match data {
            Data::Struct(data) => self.check_fields(&data.fields, None),
            Data::Enum(data) => {
                data.variants.iter().for_each(|variant| self.check_variant(variant));
            }
            Data::Union(_) => {}
        }
    }

    fn check_variant(&self, variant: &Variant) {
        let attributes = Attributes::new(&variant.attrs);
        if self.names.is_skipped(&attributes) {
            return;
        }
        // The name of an externally tagged variant with data is a key.
        let has_data = !matches!(variant.fields, Fields::Unit);
        if has_data && self.names.tagging(&attributes) == Tagging::External {
            let name = self.names.variant_name(&variant.ident, &attributes);
            self.check_names(name, &variant.ident, &attributes, "variant");
        }
        self.check_fields(&variant.fields, Some(&attributes));
    }

    fn check_fields(&self, fields: &Fields, variant: Option<&Attributes>) {
        for field in fields {
            self.check_field(field, variant);
        }
    }

    fn check_field(&self, field: &Field, variant: Option<&Attributes>) {
        let attributes = Attributes::new(&field.attrs);
        let Some(ident) = &field.ident else { return };
        if !self.names.is_skipped(&attributes) && !self.names.has(&attributes, "flatten") {
            let name = self.names.field_name(ident, &attributes, variant);
            self.check_names(name, ident, &attributes, "field");
        }
    }

    fn check_names(&self, name: Name, ident: &Ident, attributes: &Attributes, noun: &str) {
        let ident = ident.unraw();
        check_name(&name.0, name.1, &format!("the {noun} `{ident}`"), self.errors);
        for alias in attributes.find(Source::Serde, "alias").filter_map(SourceItem::text) {
            let what = format!("an alias of the {noun} `{ident}`");
            check_name(&alias.value(), alias.span(), &what, self.errors);
        }
    }
}
