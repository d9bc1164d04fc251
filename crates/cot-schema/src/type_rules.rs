//! The attributes `#[cot(…)]` of a type, its fields and its variants, as data.

/// The attributes of one type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeRules {
    /// The name of the type among the definitions of the schema.
    pub name: String,
    /// The fields of a struct, or of all variants of an enum.
    pub fields: Vec<FieldRule>,
    /// The variants of an enum.
    pub variants: Vec<VariantRule>,
    /// Sentences for the description of the type, which the model reads.
    pub notes: Vec<&'static str>,
}

/// The attributes of one field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldRule {
    /// The name in the JSON.
    pub name: &'static str,
    /// Alternative names that are accepted in replies.
    pub aliases: &'static [&'static str],
    /// Whether the reader may drop parts of the value.
    pub allow_loss: bool,
    /// Sentences for the description of the field, which the model reads.
    pub notes: &'static [&'static str],
}

/// The attributes of one variant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VariantRule {
    /// The name in the JSON.
    pub name: &'static str,
    /// Alternative names that are accepted in replies.
    pub aliases: &'static [&'static str],
}
