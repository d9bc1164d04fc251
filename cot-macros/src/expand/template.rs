//! Templates as straight writes.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Expr, ExprCall, Ident, LitStr,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

use super::{Locals, Names, option};
use crate::{
    check::words::{HELPERS, mistakes_in_template},
    model::{Model, Role, Uses, mentions},
    syntax::{Piece, Template, TemplateText},
};

/// The function of a template, or `None`.
pub(super) fn optional(model: &Model<'_>, template: Option<&Template>, role: Role) -> TokenStream {
    option(template.map(|template| {
        let Locals { scope, out, .. } = Locals::new();
        let body = body(model, template, role);
        quote!(|#scope, #out| { #body })
    }))
}

/// The functions of the parts.
pub(super) fn parts(model: &Model<'_>, names: &Names) -> TokenStream {
    let Locals { scope, out, .. } = Locals::new();
    let process = &names.process;
    let functions = model.parts.iter().map(|part| {
        let function = part_function(&part.name);
        let body = body(model, &part.template, Role::Prompt);
        quote! {
            #[allow(dead_code)]
            fn #function(
                #scope: &::cot_core::Scope<'_, #process>,
                #out: &mut ::cot_core::__private::PromptWriter,
            ) -> ::core::fmt::Result {
                #body
            }
        }
    });
    quote!(#(#functions)*)
}

fn part_function(name: &Ident) -> Ident {
    format_ident!("__part_{name}", span = Span::mixed_site())
}

fn body(model: &Model<'_>, template: &Template, role: Role) -> TokenStream {
    let Locals { out, .. } = Locals::new();
    match template {
        Template::Function(path) => {
            let Locals { scope, .. } = Locals::at(path.span());
            let written = quote_spanned!(path.span()=> #path(#scope));
            quote!(::cot_core::__private::write_text(#out, &#written))
        }
        Template::Text(text) => {
            let rebuild = rebuild(text);
            let sound = text.pieces.iter().filter(|piece| is_sound(model, piece, role));
            let sound: Vec<_> = sound.collect();
            let bindings = bindings(model, role, &sound);
            let pieces = sound.iter().map(|piece| write(text, piece));
            quote! { #rebuild #bindings #(#pieces)* ::core::result::Result::Ok(()) }
        }
    }
}

/// Makes cargo build anew when an included file changes.
fn rebuild(text: &TemplateText) -> TokenStream {
    let literal = &text.literal;
    match text.included {
        true => {
            quote_spanned!(literal.span()=> const _: &::core::primitive::str = ::core::include_str!(#literal);)
        }
        false => TokenStream::new(),
    }
}

/// What is not sound has been reported; rustc need not report it again.
fn is_sound(model: &Model<'_>, piece: &Piece, role: Role) -> bool {
    match piece {
        Piece::Text(_) => true,
        Piece::Shown { expr, .. } => mistakes_in_template(model, expr, role).is_empty(),
    }
}

/// Binds the names that the pieces use, with the hygiene of their template.
fn bindings(model: &Model<'_>, role: Role, pieces: &[&Piece]) -> TokenStream {
    let Locals { scope, .. } = Locals::new();
    let seen = model.seen_in(role);
    let bound = seen.names.iter().filter_map(|word| {
        let name = pieces.iter().find_map(|piece| match piece {
            Piece::Shown { expr, .. } => mentions(expr, word),
            Piece::Text(_) => None,
        })?;
        let field = Ident::new(word, Span::mixed_site());
        Some(quote!(let #name = #scope.#field;))
    });
    quote!(#(#bound)*)
}

fn write(text: &TemplateText, piece: &Piece) -> TokenStream {
    let Locals { scope, out, .. } = Locals::new();
    match piece {
        Piece::Text(text) => {
            let text = LitStr::new(text, Span::mixed_site());
            quote!(::cot_core::__private::write_text(#out, #text)?;)
        }
        Piece::Shown { expr, .. } => {
            let span = text.literal.span();
            if let Some((helper, argument)) = helper_call(expr) {
                let mut argument = argument.clone();
                Helpers { uses: Uses::of(&argument) }.visit_expr_mut(&mut argument);
                match helper.to_string().as_str() {
                    "json" => {
                        return quote_spanned!(span=> #out.write_json(&(#argument))?;);
                    }
                    "json_pretty" => {
                        return quote_spanned!(span=> #out.write_json_pretty(&(#argument))?;);
                    }
                    "part" => {
                        let function = argument_part(&argument);
                        return quote!(#function(#scope, #out)?;);
                    }
                    _ => {}
                }
            }
            let mut expr = expr.clone();
            Helpers { uses: Uses::of(&expr) }.visit_expr_mut(&mut expr);
            quote_spanned!(span=> ::cot_core::__private::show(#out, &(#expr))?;)
        }
    }
}

fn argument_part(argument: &Expr) -> TokenStream {
    match argument {
        Expr::Path(path) => match path.path.get_ident() {
            Some(name) => part_function(name).into_token_stream(),
            None => TokenStream::new(),
        },
        _ => TokenStream::new(),
    }
}

/// A call of one of the language's own helpers.
fn helper_call(expr: &Expr) -> Option<(&Ident, &Expr)> {
    let Expr::Call(ExprCall { func, args, .. }) = expr else {
        return None;
    };
    let Expr::Path(path) = &**func else {
        return None;
    };
    let name = path.path.get_ident()?;
    let argument = if args.len() == 1 { args.first() } else { None };
    HELPERS.iter().any(|helper| name == helper).then_some(())?;
    Some((name, argument?))
}

/// Puts the library's functions in the place of the helpers' names.
struct Helpers {
    uses: Uses,
}

impl VisitMut for Helpers {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let replaced = helper_call(expr).map(|(name, argument)| {
            let (name, mut argument) = (name.clone(), argument.clone());
            if name == "part" {
                let function = argument_part(&argument);
                let Locals { scope, .. } = Locals::new();
                return quote!(::cot_core::__private::part(#scope, #function));
            }
            self.visit_expr_mut(&mut argument);
            let span = name.span();
            // A place is only looked at; a list may also be an iterator, which is used up.
            match &argument {
                // What a closure was given is mostly a reference already.
                Expr::Path(path) if path.path.get_ident().is_some_and(|it| self.uses.binds(it)) => {
                    quote_spanned!(span=> ::cot_core::__private::#name(#argument))
                }
                Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
                    quote_spanned!(span=> ::cot_core::__private::#name(&#argument))
                }
                _ if name == "list" => {
                    quote_spanned!(span=> ::cot_core::__private::#name(#argument))
                }
                _ => quote_spanned!(span=> ::cot_core::__private::#name(&(#argument))),
            }
        });
        match replaced {
            Some(tokens) => *expr = Expr::Verbatim(tokens),
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }
}
