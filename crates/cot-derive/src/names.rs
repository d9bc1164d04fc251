//! The names of fields and variants in JSON, with the rules of `serde` and `schemars`.

use proc_macro2::Span;
use syn::{Ident, ext::IdentExt};

use super::{
    attributes::{Attributes, Source},
    case::Case,
};

/// The rules for names of one reader or writer of JSON: which attributes apply.
pub(super) struct NameRules {
    /// The crates whose attributes apply. The first one that has a key takes precedence.
    sources: &'static [Source],
    /// The part of `rename(serialize = "…", deserialize = "…")` that applies.
    direction: &'static str,
    /// The key that leaves a field or variant out.
    skip: &'static str,
    /// The keys on a type whose JSON is that of another type.
    replaced: &'static [&'static str],
}

/// Deserialization with `serde`.
pub(super) const READ: NameRules = NameRules {
    sources: &[Source::Serde],
    direction: "deserialize",
    skip: "skip_deserializing",
    replaced: &["from", "try_from"],
};

/// Serialization with `serde`.
pub(super) const WRITTEN: NameRules = NameRules {
    sources: &[Source::Serde],
    direction: "serialize",
    skip: "skip_serializing",
    replaced: &["into"],
};

/// The schema, which the model receives.
pub(super) const SCHEMA: NameRules =
    NameRules { sources: &[Source::Schemars, Source::Serde], ..READ };

/// The JSON names of a type.
#[derive(Clone, Copy)]
pub(super) struct JsonNames<'a> {
    rules: &'static NameRules,
    container: &'a Attributes,
}

/// A name and its span.
pub(super) type Name = (String, Span);

/// The place of the name of a variant in the JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tagging {
    /// As a key around its fields.
    External,
    /// As a member among its fields.
    Internal,
    /// As a member beside the one that holds its fields, which has this name.
    Adjacent(String),
    /// Nowhere.
    Untagged,
}

impl<'a> JsonNames<'a> {
    pub(super) const fn new(rules: &'static NameRules, container: &'a Attributes) -> Self {
        Self { rules, container }
    }

    /// Returns whether the JSON is that of another type, named in a conversion.
    pub(super) fn is_replaced(&self) -> bool {
        self.rules.replaced.iter().any(|key| self.has(self.container, key))
    }

    /// Returns whether the JSON is that of the only field.
    pub(super) fn is_transparent(&self) -> bool {
        self.has(self.container, "transparent")
    }

    /// Returns whether a field or variant is left out.
    pub(super) fn is_skipped(&self, attributes: &Attributes) -> bool {
        self.has(attributes, "skip") || self.has(attributes, self.rules.skip)
    }

    pub(super) fn has(&self, attributes: &Attributes, key: &str) -> bool {
        self.rules.sources.iter().any(|source| attributes.has(*source, key))
    }

    /// Returns the name of a field of a struct or of a variant.
    pub(super) fn field_name(
        &self,
        ident: &Ident,
        attributes: &Attributes,
        variant: Option<&Attributes>,
    ) -> Name {
        let case = match variant {
            None => self.case(self.container, "rename_all"),
            Some(variant) => self
                .case(variant, "rename_all")
                .or_else(|| self.case(self.container, "rename_all_fields")),
        };
        self.renamed(ident, attributes, |name| case.unwrap_or(Case::Snake).rename_field(name))
    }

    /// Returns the name of a variant.
    pub(super) fn variant_name(&self, ident: &Ident, attributes: &Attributes) -> Name {
        let case = self.case(self.container, "rename_all");
        self.renamed(ident, attributes, |name| case.unwrap_or(Case::Pascal).rename_variant(name))
    }

    /// Returns the member in the key `tag` or `content`, which holds the variant's name or its fields.
    pub(super) fn member_name(&self, key: &str) -> Option<Name> {
        self.text(self.container, key)
    }

    /// Returns the tagging of a variant.
    pub(super) fn tagging(&self, variant: &Attributes) -> Tagging {
        if self.has(self.container, "untagged") || self.has(variant, "untagged") {
            return Tagging::Untagged;
        }
        match (self.has(self.container, "tag"), self.member_name("content")) {
            (true, Some((content, _))) => Tagging::Adjacent(content),
            (true, None) => Tagging::Internal,
            (false, _) => Tagging::External,
        }
    }

    fn renamed(
        &self,
        ident: &Ident,
        attributes: &Attributes,
        case: impl Fn(&str) -> String,
    ) -> Name {
        let name = || (case(&ident.unraw().to_string()), ident.span());
        self.text(attributes, "rename").unwrap_or_else(name)
    }

    fn case(&self, attributes: &Attributes, key: &str) -> Option<Case> {
        self.text(attributes, key).and_then(|(name, _)| Case::parse(&name))
    }

    /// Returns the text of a key from the first source that has it.
    fn text(&self, attributes: &Attributes, key: &str) -> Option<Name> {
        let mut items = self.rules.sources.iter().flat_map(|source| attributes.find(*source, key));
        let text = items.find_map(|item| item.text_for(self.rules.direction))?;
        Some((text.value(), text.span()))
    }
}
