//! Expands templates to a sequence of writes.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Ident, LitStr, visit_mut::VisitMut};

use super::{
    fields::unset,
    helpers::{Helpers, helper_call},
    locals::{Locals, callee, end},
    names::GeneratedNames,
    parts::{ShownPart, part, part_function},
    site::{Site, is_place},
    values::option,
};
use crate::{
    check::expressions::diagnose_template_expr,
    model::{Model, Role, Uses, expr_stability},
};
use cot_syntax::{Piece, Template, TemplateText};

/// Generates an `Option` of the function of a template.
pub(super) fn optional(model: &Model<'_>, template: Option<&Template>, role: Role) -> TokenStream {
    option(template.map(|template| function(model, template, role)))
}

/// Generates the function of a template.
pub(super) fn function(model: &Model<'_>, template: &Template, role: Role) -> TokenStream {
    let Locals { scope, out, .. } = Locals::new();
    let body = body(model, template, role);
    quote!(|#scope, #out| { #body })
}

/// Generates the functions of the parts.
pub(super) fn parts(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let Locals { scope, out, .. } = Locals::new();
    let process = &names.process;
    let functions = model.parts.iter().map(|part| {
        let function = part_function(&part.name);
        let body = body(model, &part.template, Role::Prompt);
        quote! {
            #[allow(dead_code)]
            fn #function(
                #scope: &::cot_core::Cx<'_, #process>,
                #out: &mut ::cot_core::__private::PromptWriter,
            ) -> ::core::fmt::Result {
                #body
            }
        }
    });
    quote!(#(#functions)*)
}

fn body(model: &Model<'_>, template: &Template, role: Role) -> TokenStream {
    match template {
        Template::Function(path) => {
            let Locals { scope, out, .. } = Locals::at(end(path));
            let write_source = callee(path, "write_source");
            quote_spanned!(end(path)=> #write_source(#path, #scope, #out))
        }
        Template::Text(text) => {
            let rebuild = track_include(text);
            let sound = text.pieces.iter().filter(|piece| is_sound(model, piece, role));
            let sound: Vec<_> = sound.collect();
            let shown = sound.iter().filter_map(|piece| match piece {
                Piece::Expr { expr, .. } => Some(&**expr),
                Piece::Text(_) => None,
            });
            let site = Site::for_template(model, role);
            let bindings = site.bindings(&shown.collect::<Vec<_>>());
            let pieces = sound.iter().map(|piece| write(model, &site, text, piece));
            quote! { #rebuild #bindings #(#pieces)* ::core::result::Result::Ok(()) }
        }
    }
}

/// Makes cargo rebuild when an included file changes.
fn track_include(text: &TemplateText) -> TokenStream {
    let literal = &text.literal;
    match text.included {
        true => {
            quote_spanned!(literal.span()=> const _: &::core::primitive::str = ::core::include_str!(#literal);)
        }
        false => TokenStream::new(),
    }
}

/// Returns whether a piece has no errors. Invalid pieces have been reported and are not expanded.
fn is_sound(model: &Model<'_>, piece: &Piece, role: Role) -> bool {
    match piece {
        Piece::Text(_) => true,
        Piece::Expr { expr, .. } => diagnose_template_expr(model, expr, role).is_empty(),
    }
}

fn write(model: &Model<'_>, site: &Site<'_>, text: &TemplateText, piece: &Piece) -> TokenStream {
    let Locals { scope, out, .. } = Locals::new();
    let (expr, at) = match piece {
        Piece::Text(text) => {
            let text = LitStr::new(text, Span::mixed_site());
            return quote!(::cot_core::__private::write_text(#out, #text)?;);
        }
        Piece::Expr { expr, at, .. } => (expr, at),
    };
    let span = text.span();
    if let Some((_, argument)) = helper_call(expr).filter(|(helper, _)| *helper == "part") {
        return match part(model, argument) {
            Some(ShownPart::Own(name, function)) => {
                quote!(::cot_core::__private::own_part(#scope, #out, #name, #function)?;)
            }
            Some(ShownPart::Standard(name)) => {
                quote!(::cot_core::__private::standard_part(#scope, #out, #name)?;)
            }
            None => TokenStream::new(),
        };
    }
    let ShowCall { function, value, form } = ShowCall::for_expr(expr);
    let show = Ident::new(function, span.resolved_at(Span::mixed_site()));
    let reads = unset::reads(expr);
    // The empty name represents the whole state.
    let fields = reads.fields.iter().map(|field| field.trim_start_matches("r#"));
    let fields = fields.chain(reads.whole.then_some(""));
    let mut value = value.clone();
    Helpers { model, uses: Uses::from_expr(&value) }.visit_expr_mut(&mut value);
    let value = site.unset().rewrite_tokens(expr, value.into_token_stream());
    let stability = expr_stability(model, expr);
    let (line, column) = (at.line, at.column);
    let (place, value, fails) = match form {
        ShownForm::Text => {
            let place = quote_spanned!(span=> ::<#line, #column, _>);
            (Some(place), quote_spanned!(span=> &(#value)), Some(quote_spanned!(span=> ?)))
        }
        ShownForm::MediaPlace => (None, quote_spanned!(span=> &(#value)), None),
        ShownForm::MediaValue => (None, quote_spanned!(span=> [#value]), None),
    };
    quote_spanned! {span=>
        ::cot_core::__private::#show #place (#out, &[#(#fields),*], #stability, #value)#fails;
    }
}

/// The call of the library that writes a value.
struct ShowCall<'a> {
    function: &'static str,
    value: &'a Expr,
    form: ShownForm,
}

/// The form in which a value is passed.
enum ShownForm {
    /// By reference, to a function that can fail.
    Text,
    /// A place with media, by reference.
    MediaPlace,
    /// A value with media, which may be an iterator: by value.
    MediaValue,
}

impl<'a> ShowCall<'a> {
    fn for_expr(expr: &'a Expr) -> Self {
        let text = |function, value| Self { function, value, form: ShownForm::Text };
        let Some((helper, value)) = helper_call(expr) else { return text("show", expr) };
        let media = |[place, other]: [&'static str; 2]| match is_place(value) {
            true => Self { function: place, value, form: ShownForm::MediaPlace },
            false => Self { function: other, value, form: ShownForm::MediaValue },
        };
        match helper.to_string().as_str() {
            "json" => text("show_json", value),
            "json_pretty" => text("show_json_pretty", value),
            "image" => media(["show_images", "show_image_value"]),
            "document" => media(["show_documents", "show_document_value"]),
            // The helper is expanded within the expression.
            _ => text("show", expr),
        }
    }
}
