//! Parses `state: Type` and `state: { input name: Type, untrusted name: Type = default, name: Type }`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Expr, Ident, Result, Token, Type, braced, parse::ParseStream};

use crate::diagnostics::Errors;
use crate::parse::{
    list::{parse_list, parse_mark},
    row::ItemValue,
    value_syntax::ValueSyntax,
};
use crate::values::plain::parse_type;

/// The value of `state`: the data that the tasks share.
#[derive(Debug)]
pub enum StateItem {
    /// A type that the user defines.
    Type(Box<Type>),
    /// A struct declared in the process.
    Inline(InlineState),
}

/// A state struct declared in the process.
#[derive(Debug)]
pub struct InlineState {
    /// The span of the braces.
    pub span: Span,
    /// The fields, in the order of declaration.
    pub fields: Vec<StateField>,
}

/// A field of a state struct declared in the process.
///
/// A field with `input` is given at the start of a run. A field with a default starts with it. Any other
/// field is unset until a task writes it.
#[derive(Debug)]
pub struct StateField {
    /// The doc comments and attributes, which are copied to the struct.
    pub attributes: Vec<Attribute>,
    /// The word `input`, if the field is one.
    pub input: Option<Ident>,
    /// The word `untrusted`, if the value comes from outside.
    pub untrusted: Option<Ident>,
    /// The word `private`, if only listed engines may be shown the value.
    pub private: Option<Ident>,
    /// The name.
    pub name: Ident,
    /// The type.
    pub ty: Type,
    /// The default, with which the field starts.
    pub default: Option<Expr>,
}

impl ItemValue for StateItem {
    const SYNTAX: ValueSyntax = ValueSyntax::State;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if !input.peek(syn::token::Brace) {
            return Ok(Self::Type(Box::new(parse_type(input, errors)?)));
        }
        let content;
        let brace = braced!(content in input);
        let fields = parse_list(&content, errors, FORM, |input| StateField::parse(input, errors));
        Ok(Self::Inline(InlineState { span: brace.span.join(), fields }))
    }
}

impl StateField {
    /// Returns whether the field has no value until a task writes it.
    pub fn is_unset(&self) -> bool {
        self.input.is_none() && self.default.is_none()
    }

    /// Returns whether the value comes from outside, by its mark or by its type.
    pub fn is_untrusted(&self) -> bool {
        self.untrusted.is_some() || self.is_of_type("Untrusted")
    }

    /// Returns whether only listed engines may be shown the value, or a part of it, by its mark or by its type.
    pub fn is_private(&self) -> bool {
        self.private.is_some() || mentions(self.ty.to_token_stream(), "Private")
    }

    /// Returns whether no text fits into the field, so that it can be shown without a fence.
    pub fn holds_no_text(&self) -> bool {
        SCALARS.iter().any(|name| self.is_of_type(name))
    }

    fn is_of_type(&self, name: &str) -> bool {
        let Type::Path(path) = &self.ty else { return false };
        path.path.segments.last().is_some_and(|last| last.ident == name)
    }
}

/// Returns whether a type has the name in it, as `Option<Private<String>>` does.
fn mentions(ty: TokenStream, name: &str) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// The types of numbers and of `bool`.
const SCALARS: [&str; 15] = [
    "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f32", "f64",
];

/// The words that can stand before the name of a field, in any order.
const WORDS: [&str; 3] = ["input", "untrusted", "private"];

const FORM: &str = "name: Type`, `name: Type = default` or `input name: Type";

impl StateField {
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let mut words = [const { None }; WORDS.len()];
        let name = loop {
            let word: Ident = input.parse()?;
            // A field can have the name of a word.
            match WORDS.iter().position(|known| word == known).filter(|_| input.peek(Ident)) {
                None => break word,
                Some(at) if words[at].is_none() => words[at] = Some(word),
                Some(_) => {
                    errors.add_with_help(
                        word.span(),
                        format!("`{word}` stands twice before a field"),
                        "remove one of the two",
                    );
                }
            }
        };
        let [input_word, untrusted, private] = words;
        parse_mark::<Token![:]>(input, errors, FORM)?;
        let ty = parse_type(input, errors)?;
        let default = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { attributes, input: input_word, untrusted, private, name, ty, default })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_an_input_has_a_default_or_is_unset() {
        let errors = Errors::new();
        let parser = |input: ParseStream<'_>| StateItem::parse_value(input, &errors);
        let source = "{ /// Asked for.\n #[serde(skip)] input request: String, \
                      fields: Vec<Field>= vec![], input: u8, plan: Plan }";
        let state = syn::parse::Parser::parse_str(parser, source).unwrap();
        let StateItem::Inline(state) = state else { panic!("{state:?}") };
        assert!(errors.is_empty());
        let outline: Vec<_> = state
            .fields
            .iter()
            .map(|field| (field.name.to_string(), field.input.is_some(), field.default.is_some()))
            .collect();
        let expected = [("request", true, false), ("fields", false, true)];
        let unset = [("input", false, false), ("plan", false, false)];
        let expected = expected.into_iter().chain(unset);
        let expected: Vec<_> =
            expected.map(|(name, input, default)| (name.to_owned(), input, default)).collect();
        assert_eq!(outline, expected);
        assert_eq!(state.fields[0].attributes.len(), 2);
    }

    #[test]
    fn marks_stand_before_the_name() {
        let errors = Errors::new();
        let parser = |input: ParseStream<'_>| StateItem::parse_value(input, &errors);
        let source = "{ untrusted input mail: String, private untrusted key: Key, untrusted: u8, \
                      private private twice: u8 }";
        let state = syn::parse::Parser::parse_str(parser, source).unwrap();
        let StateItem::Inline(state) = state else { panic!("{state:?}") };
        let marks = |field: &StateField| {
            [&field.input, &field.untrusted, &field.private].map(Option::is_some)
        };
        let marks: Vec<_> = state.fields.iter().map(marks).collect();
        let expected = [[true, true, false], [false, true, true], [false; 3], [false, false, true]];
        assert_eq!(marks, expected);
        assert_eq!(errors.messages().len(), 1);
        assert!(errors.messages()[0].starts_with("`private` stands twice before a field"));
    }
}
