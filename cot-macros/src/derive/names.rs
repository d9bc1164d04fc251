//! Names in the JSON: a reply with one of the words of a transition would be read as one.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Field, Fields, Ident, Variant, ext::IdentExt};

use super::attributes::{Attributes, Item, Source};
use crate::diagnostics::{Errors, one_of};
use case::Case;

mod case;

const RESERVED: &[&str] = &["goTo", "intent", "stepAfter"];

/// One way to look at the names of a type.
struct View {
    /// Whose attributes count, the first that has a key decides.
    sources: &'static [Source],
    /// The part of `rename(serialize = "…", deserialize = "…")` that counts.
    direction: &'static str,
    /// Leaves a field or variant out.
    skip: &'static str,
    /// On a type: its JSON is that of another type.
    replaced: &'static [&'static str],
}

const VIEWS: &[View] = &[
    View {
        sources: &[Source::Serde],
        direction: "deserialize",
        skip: "skip_deserializing",
        replaced: &["from", "try_from", "transparent"],
    },
    View {
        sources: &[Source::Serde],
        direction: "serialize",
        skip: "skip_serializing",
        replaced: &["into", "transparent"],
    },
    // The schema is what the model is told.
    View {
        sources: &[Source::Schemars, Source::Serde],
        direction: "deserialize",
        skip: "skip_deserializing",
        replaced: &["from", "try_from", "transparent"],
    },
];

/// No field, variant or tag has a name that marks a transition.
pub(super) fn check_reserved(input: &DeriveInput, errors: &Errors) {
    let container = Attributes::of(&input.attrs);
    for view in VIEWS {
        let check = Check { view, container: &container, errors };
        if !check.view.replaced.iter().any(|key| check.has(&container, key)) {
            check.check_tags();
            check.check_data(&input.data);
        }
    }
}

struct Check<'a> {
    view: &'static View,
    container: &'a Attributes,
    errors: &'a Errors,
}

impl Check<'_> {
    fn check_tags(&self) {
        for key in ["tag", "content"] {
            if let Some((name, span)) = self.text(self.container, key) {
                self.check(&name, span, &format!("the {key}"));
            }
        }
    }

    fn check_data(&self, data: &Data) {
        match data {
            Data::Struct(data) => {
                self.check_fields(&data.fields, self.case(self.container, "rename_all"));
            }
            Data::Enum(data) => {
                data.variants.iter().for_each(|variant| self.check_variant(variant));
            }
            Data::Union(_) => {}
        }
    }

    fn check_variant(&self, variant: &Variant) {
        let attributes = Attributes::of(&variant.attrs);
        if self.is_skipped(&attributes) {
            return;
        }
        if self.is_key(variant, &attributes) {
            let case = self.case(self.container, "rename_all").unwrap_or(Case::Pascal);
            let name = |ident: &str| case.of_variant(ident);
            self.check_name(&variant.ident, &attributes, "variant", name);
        }
        let case = self.case(&attributes, "rename_all");
        let case = case.or_else(|| self.case(self.container, "rename_all_fields"));
        self.check_fields(&variant.fields, case);
    }

    /// Whether a variant's name is a key of the JSON: that of data that is externally tagged.
    fn is_key(&self, variant: &Variant, attributes: &Attributes) -> bool {
        let has_data = !matches!(variant.fields, Fields::Unit);
        let is_tagged_otherwise =
            ["tag", "untagged"].iter().any(|key| self.has(self.container, key));
        has_data && !is_tagged_otherwise && !self.has(attributes, "untagged")
    }

    fn check_fields(&self, fields: &Fields, case: Option<Case>) {
        for field in fields {
            self.check_field(field, case.unwrap_or(Case::Snake));
        }
    }

    fn check_field(&self, field: &Field, case: Case) {
        let attributes = Attributes::of(&field.attrs);
        let Some(ident) = &field.ident else { return };
        if !self.is_skipped(&attributes) && !self.has(&attributes, "flatten") {
            self.check_name(ident, &attributes, "field", |ident| case.of_field(ident));
        }
    }

    fn check_name(
        &self,
        ident: &Ident,
        attributes: &Attributes,
        noun: &str,
        case: impl Fn(&str) -> String,
    ) {
        let name = ident.unraw().to_string();
        let (serialized, span) =
            self.text(attributes, "rename").unwrap_or_else(|| (case(&name), ident.span()));
        self.check(&serialized, span, &format!("the {noun} `{name}`"));
        for alias in attributes.find(Source::Serde, "alias").filter_map(Item::text) {
            self.check(&alias.value(), alias.span(), &format!("an alias of the {noun} `{name}`"));
        }
    }

    fn check(&self, name: &str, span: Span, what: &str) {
        if RESERVED.contains(&name) {
            self.errors.error_with_help(
                span,
                format!("{what} is `{name}` in JSON, which marks a transition"),
                format!("choose another name; {} are taken", one_of(RESERVED)),
            );
        }
    }

    fn is_skipped(&self, attributes: &Attributes) -> bool {
        self.has(attributes, "skip") || self.has(attributes, self.view.skip)
    }

    fn has(&self, attributes: &Attributes, key: &str) -> bool {
        self.view.sources.iter().any(|source| attributes.has(*source, key))
    }

    fn case(&self, attributes: &Attributes, key: &str) -> Option<Case> {
        self.text(attributes, key).and_then(|(name, _)| Case::named(&name))
    }

    /// The text of a key, by the first source that has it.
    fn text(&self, attributes: &Attributes, key: &str) -> Option<(String, Span)> {
        let mut items = self.view.sources.iter().flat_map(|source| attributes.find(*source, key));
        let text = items.find_map(|item| item.text_for(self.view.direction))?;
        Some((text.value(), text.span()))
    }
}
