//! What a type, its fields and its variants say in `#[cot(…)]`, beyond its schema.

/// What one type says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeRules {
    /// The name of the type among the definitions of the schema.
    pub name: String,
    /// Of a struct, or of the variants of an enum that have fields.
    pub fields: Vec<FieldRule>,
    /// Of an enum.
    pub variants: Vec<VariantRule>,
    /// Sentences that the model reads in the type's description.
    pub notes: Vec<&'static str>,
}

/// What a field says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldRule {
    /// Its name in the JSON.
    pub name: &'static str,
    /// Other names that a model may give it.
    pub aliases: &'static [&'static str],
    /// Whether something of its value may be lost.
    pub allow_loss: bool,
    /// Sentences that the model reads in the field's description.
    pub notes: &'static [&'static str],
}

/// What a variant says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VariantRule {
    /// Its name in the JSON.
    pub name: &'static str,
    /// Other names that a model may give it.
    pub aliases: &'static [&'static str],
}
