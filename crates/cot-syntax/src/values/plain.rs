//! Parses short values: numbers, types, functions, names.

use syn::{
    Expr, Ident, Lit, LitBool, LitInt, LitStr, Path, Result, Token, Type, TypeReference, bracketed,
    parse::{Parse, ParseStream},
    parse_quote,
};

use proc_macro2::TokenTree;
use quote::ToTokens;

use crate::{
    diagnostics::{Errors, with_default_help},
    parse::{
        row::{ItemValue, Notation, Number, ValueView},
        value_syntax::ValueSyntax,
    },
    template::syntax::Template,
    values::{
        duration::{DurationValue, Wait},
        engines::Engines,
        for_each::ForEach,
    },
};

/// A list of task names: `[a, b, c]`.
#[derive(Debug)]
pub struct TaskList(pub Vec<Ident>);

impl TaskList {
    /// Parses the names in brackets. What is no name, and missing commas, are reported. `explain` replaces the
    /// message about what is no name.
    pub(crate) fn parse(
        input: ParseStream<'_>,
        errors: &Errors,
        explain: impl Fn(syn::Error) -> syn::Error,
    ) -> Result<Self> {
        let content;
        bracketed!(content in input);
        let mut names = Vec::new();
        while !content.is_empty() {
            match content.parse() {
                Ok(name) => names.push(name),
                Err(error) => {
                    errors.push(explain(error));
                    content.parse::<TokenTree>()?;
                }
            }
            if !content.is_empty()
                && let Err(error) = content.parse::<Token![,]>()
            {
                errors.push(with_default_help(error, "separate the names of tasks by commas"));
            }
        }
        Ok(Self(names))
    }
}

/// The path of `cot_core` in generated code.
#[derive(Debug)]
pub struct CratePath(pub Path);

impl Parse for CratePath {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        input.parse().map(Self)
    }
}

/// Parses a type. One that is borrowed is reported, and read as the type of the value.
pub(crate) fn parse_type(input: ParseStream<'_>, errors: &Errors) -> Result<Type> {
    let error = syn::Error::new(input.span(), "expected a type");
    let ty = input.parse().map_err(|_| error)?;
    let owned = match &ty {
        Type::Reference(reference) if !is_static(reference) => owned_type(&reference.elem),
        _ => return Ok(ty),
    };
    let help = format!("write `{}`: functions receive it by reference", type_name(&owned));
    errors.add_over_with_help(&ty, "a borrowed type can't stand here", help);
    Ok(owned)
}

fn is_static(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

/// Returns the type of a value whose reference has this type behind it.
fn owned_type(borrowed: &Type) -> Type {
    match borrowed {
        Type::Path(path) if path.path.is_ident("str") => parse_quote!(String),
        Type::Slice(slice) => {
            let item = &slice.elem;
            parse_quote!(Vec<#item>)
        }
        other => other.clone(),
    }
}

fn type_name(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

/// Parses the path of a function.
pub(crate) fn parse_function(input: ParseStream<'_>) -> Result<Path> {
    let span = input.span();
    let message = match starts_closure(input) {
        true => "expected the name of a function, not a closure",
        false => "expected the name of a function",
    };
    input.parse().map_err(|_| syn::Error::new(span, message))
}

/// Returns whether the next tokens are the beginning of a closure.
pub(crate) fn starts_closure(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    let _words = (fork.parse::<Option<Token![async]>>(), fork.parse::<Option<Token![move]>>());
    fork.peek(Token![|])
}

/// Implements [`ItemValue`] for types that implement `Parse`.
macro_rules! parsed_values {
    ($($Value:ty => $syntax:ident),* $(,)?) => {$(
        impl ItemValue for $Value {
            const SYNTAX: ValueSyntax = ValueSyntax::$syntax;

            fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
                input.parse()
            }
        }
    )*};
}
parsed_values! {
    LitBool => Boolean,
    Ident => Task,
    CratePath => CratePath,
    DurationValue => Duration,
    Wait => Duration,
    Engines => Engines,
    ForEach => ForEach,
}

/// The value of a flag, which is empty.
impl ItemValue for () {
    const NOTATION: Notation = Notation::Flag;
    const SYNTAX: ValueSyntax = ValueSyntax::Flag;

    fn parse_value(_: ParseStream<'_>, _: &Errors) -> Result<Self> {
        Ok(())
    }
}

impl ItemValue for Path {
    const SYNTAX: ValueSyntax = ValueSyntax::Function;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        parse_function(input)
    }
}

impl ItemValue for Expr {
    const SYNTAX: ValueSyntax = ValueSyntax::Expression;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let error = syn::Error::new(input.span(), "expected an expression");
        if input.is_empty() || input.peek(Token![,]) {
            return Err(error);
        }
        input.parse()
    }
}

impl ItemValue for Type {
    const SYNTAX: ValueSyntax = ValueSyntax::Type;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        parse_type(input, errors)
    }
}

impl ItemValue for Template {
    const SYNTAX: ValueSyntax = ValueSyntax::Template;
    const SHOWS_TEMPLATES: bool = true;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Template(self)
    }
}

impl ItemValue for LitStr {
    const SYNTAX: ValueSyntax = ValueSyntax::Text;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Text(self)
    }
}

impl ItemValue for LitInt {
    const SYNTAX: ValueSyntax = ValueSyntax::Number;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Number(Number::Integer(self))
    }
}

impl ItemValue for Lit {
    const SYNTAX: ValueSyntax = ValueSyntax::Number;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Number(Number::Decimal(self))
    }
}
