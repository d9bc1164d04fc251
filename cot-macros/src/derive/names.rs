//! The names that a type has in the JSON, as `serde` and `schemars` give them.

use proc_macro2::Span;
use syn::{Ident, ext::IdentExt};

use super::{
    attributes::{Attributes, Source},
    case::Case,
};

/// One way to look at the names of a type.
pub(super) struct View {
    /// Whose attributes count, the first that has a key decides.
    sources: &'static [Source],
    /// The part of `rename(serialize = "…", deserialize = "…")` that counts.
    direction: &'static str,
    /// Leaves a field or variant out.
    skip: &'static str,
    /// On a type: its JSON is that of another type.
    replaced: &'static [&'static str],
}

/// What `serde` reads.
pub(super) const READ: View = View {
    sources: &[Source::Serde],
    direction: "deserialize",
    skip: "skip_deserializing",
    replaced: &["from", "try_from"],
};

/// What `serde` writes.
pub(super) const WRITTEN: View = View {
    sources: &[Source::Serde],
    direction: "serialize",
    skip: "skip_serializing",
    replaced: &["into"],
};

/// What the model is told.
pub(super) const SCHEMA: View = View { sources: &[Source::Schemars, Source::Serde], ..READ };

/// The names of a type.
#[derive(Clone, Copy)]
pub(super) struct JsonNames<'a> {
    view: &'static View,
    container: &'a Attributes,
}

/// A name, and where it is written.
pub(super) type Name = (String, Span);

/// Where the name of a variant stands in the JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tagging {
    /// As a key around its fields.
    External,
    /// Among its fields.
    Internal,
    /// Beside its fields, which are in this member.
    Adjacent(String),
    /// Nowhere.
    Untagged,
}

impl<'a> JsonNames<'a> {
    pub(super) const fn new(view: &'static View, container: &'a Attributes) -> Self {
        Self { view, container }
    }

    /// Whether the JSON is that of another type, which a conversion names.
    pub(super) fn is_replaced(&self) -> bool {
        self.view.replaced.iter().any(|key| self.has(self.container, key))
    }

    /// Whether the JSON is that of the one field.
    pub(super) fn is_transparent(&self) -> bool {
        self.has(self.container, "transparent")
    }

    /// Whether a field or variant is left out.
    pub(super) fn is_skipped(&self, attributes: &Attributes) -> bool {
        self.has(attributes, "skip") || self.has(attributes, self.view.skip)
    }

    pub(super) fn has(&self, attributes: &Attributes, key: &str) -> bool {
        self.view.sources.iter().any(|source| attributes.has(*source, key))
    }

    /// The name of a field of a struct, or of a variant.
    pub(super) fn of_field(
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
        self.renamed(ident, attributes, |name| case.unwrap_or(Case::Snake).of_field(name))
    }

    /// The name of a variant.
    pub(super) fn of_variant(&self, ident: &Ident, attributes: &Attributes) -> Name {
        let case = self.case(self.container, "rename_all");
        self.renamed(ident, attributes, |name| case.unwrap_or(Case::Pascal).of_variant(name))
    }

    /// The member that tells the variant, or that holds its fields: `tag` or `content`.
    pub(super) fn of_member(&self, key: &str) -> Option<Name> {
        self.text(self.container, key)
    }

    /// Where the name of a variant stands.
    pub(super) fn tagging(&self, variant: &Attributes) -> Tagging {
        if self.has(self.container, "untagged") || self.has(variant, "untagged") {
            return Tagging::Untagged;
        }
        match (self.has(self.container, "tag"), self.of_member("content")) {
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
        self.text(attributes, key).and_then(|(name, _)| Case::named(&name))
    }

    /// The text of a key, by the first source that has it.
    fn text(&self, attributes: &Attributes, key: &str) -> Option<Name> {
        let mut items = self.view.sources.iter().flat_map(|source| attributes.find(*source, key));
        let text = items.find_map(|item| item.text_for(self.view.direction))?;
        Some((text.value(), text.span()))
    }
}
