//! The JSON form of a type: its variants, their members, and the keys that lead to them.

use syn::{Data, DeriveInput, Field, Fields, Ident, Variant};

use super::{
    attributes::{Attributes, Source},
    cot::{self, CotAttributes, Owner},
    names::{JsonNames, Name, SCHEMA, Tagging},
};
use cot_syntax::diagnostics::Errors;

/// The type with the derive.
pub(super) struct Output<'a> {
    pub(super) input: &'a DeriveInput,
    pub(super) container: &'a Attributes,
    pub(super) cot: CotAttributes,
    /// One form for a struct, one per variant for an enum.
    pub(super) forms: Vec<Form<'a>>,
}

/// The form of a struct or of a variant.
pub(super) struct Form<'a> {
    pub(super) variant: Option<VariantForm<'a>>,
    pub(super) fields: &'a Fields,
    /// The keys on the path from the value to its members.
    pub(super) steps: Vec<String>,
    pub(super) members: Vec<Member<'a>>,
}

/// The facts of a variant that a struct does not have.
pub(super) struct VariantForm<'a> {
    pub(super) ident: &'a Ident,
    pub(super) name: Name,
    pub(super) attributes: Attributes,
    pub(super) cot: CotAttributes,
    /// Whether replies can contain the variant.
    pub(super) is_deserialized: bool,
}

/// A field of a struct or of a variant.
pub(super) struct Member<'a> {
    pub(super) field: &'a Field,
    /// The index in the declaration.
    pub(super) index: usize,
    /// The name in the JSON, if the field has one.
    pub(super) name: Option<Name>,
    pub(super) place: JsonPlace,
    pub(super) attributes: Attributes,
    pub(super) cot: CotAttributes,
}

/// The place of a field in the JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JsonPlace {
    Key(String),
    Index(usize),
    /// The field is the value itself, as in a newtype.
    Itself,
    /// The members of the field are members of the value.
    Flat,
    /// The field is not in the JSON.
    Nowhere,
}

impl<'a> Output<'a> {
    pub(super) fn new(input: &'a DeriveInput, container: &'a Attributes, errors: &Errors) -> Self {
        let cot = cot::parse_attributes(&input.attrs, Owner::Type, errors);
        let reader = FormReader { names: JsonNames::new(&SCHEMA, container), errors };
        let forms = match &input.data {
            Data::Struct(data) => {
                let members = reader.members(&data.fields, None);
                vec![Form { variant: None, fields: &data.fields, steps: Vec::new(), members }]
            }
            Data::Enum(data) => {
                data.variants.iter().map(|variant| reader.variant(variant)).collect()
            }
            Data::Union(_) => Vec::new(),
        };
        Self { input, container, cot, forms }
    }

    pub(super) const fn names(&self) -> JsonNames<'a> {
        JsonNames::new(&SCHEMA, self.container)
    }
}

struct FormReader<'a> {
    names: JsonNames<'a>,
    errors: &'a Errors,
}

impl FormReader<'_> {
    fn variant<'v>(&self, variant: &'v Variant) -> Form<'v> {
        let attributes = Attributes::new(&variant.attrs);
        let name = self.names.variant_name(&variant.ident, &attributes);
        let steps = match self.names.tagging(&attributes) {
            _ if self.names.is_replaced() => Vec::new(),
            Tagging::External => vec![name.0.clone()],
            Tagging::Adjacent(content) => vec![content],
            Tagging::Internal | Tagging::Untagged => Vec::new(),
        };
        let members = self.members(&variant.fields, Some(&attributes));
        let cot = cot::parse_attributes(&variant.attrs, Owner::Variant, self.errors);
        let is_deserialized = !self.names.is_skipped(&attributes) && !self.names.is_replaced();
        let case = VariantForm { ident: &variant.ident, name, attributes, cot, is_deserialized };
        Form { variant: Some(case), fields: &variant.fields, steps, members }
    }

    fn members<'f>(&self, fields: &'f Fields, variant: Option<&Attributes>) -> Vec<Member<'f>> {
        let is_whole = variant.is_some_and(|variant| self.names.is_skipped(variant));
        let mut members = Vec::new();
        let mut position = 0;
        for (index, field) in fields.iter().enumerate() {
            let attributes = Attributes::new(&field.attrs);
            let cot = cot::parse_attributes(&field.attrs, Owner::Field, self.errors);
            let name = field.ident.as_ref();
            let name = name.map(|ident| self.names.field_name(ident, &attributes, variant));
            let place = match is_whole {
                true => JsonPlace::Nowhere,
                false => self.place(fields, name.as_ref(), position, &attributes),
            };
            if matches!(place, JsonPlace::Index(_)) {
                position += 1;
            }
            let name = name.filter(|_| matches!(place, JsonPlace::Key(_)));
            members.push(Member { field, index, name, place, attributes, cot });
        }
        members
    }

    fn place(
        &self,
        fields: &Fields,
        name: Option<&Name>,
        position: usize,
        attributes: &Attributes,
    ) -> JsonPlace {
        if self.names.is_replaced() || self.names.is_skipped(attributes) {
            return JsonPlace::Nowhere;
        }
        match name {
            _ if self.names.is_transparent() => JsonPlace::Itself,
            Some(_) if self.names.has(attributes, "flatten") => JsonPlace::Flat,
            Some((name, _)) => JsonPlace::Key(name.clone()),
            None if fields.len() == 1 => JsonPlace::Itself,
            None => JsonPlace::Index(position),
        }
    }
}

impl Member<'_> {
    /// Returns whether the JSON of the field is not determined by its type.
    pub(super) fn is_replaced(&self) -> bool {
        let serde = ["with", "deserialize_with"];
        let schemars = ["with", "schema_with"];
        serde.iter().any(|key| self.attributes.has(Source::Serde, key))
            || schemars.iter().any(|key| self.attributes.has(Source::Schemars, key))
    }

    /// Returns the name or the index of the field, for messages.
    pub(super) fn display_name(&self) -> String {
        match &self.field.ident {
            Some(ident) => syn::ext::IdentExt::unraw(ident).to_string(),
            None => self.index.to_string(),
        }
    }
}
