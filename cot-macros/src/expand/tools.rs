//! Generates the tables and functions of tools.

use cot_syntax::{HistoryValue, RetryItems, Tool, ToolHistoryValue, ToolWork};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, LitInt, Path, ext::IdentExt as _, spanned::Spanned};

use super::{
    found_in::arguments_found_in,
    locals::{Locals, callee, end},
    names::GeneratedNames,
    site::{Site, fallback_guard, is_place},
    values::{DEFAULT_RETRIES, duration, number, option, retry, value_of},
};
use crate::model::{Model, Place, Task, find_mention, is_once};

/// Generates the plain data of the tools of a process.
pub(super) fn definition(model: &Model<'_>) -> TokenStream {
    if model.tools.is_empty() {
        return quote!(::cot_core::__private::ToolsDefinition::NONE);
    }
    let items = &model.syntax.items;
    let max_calls = number(value_of(&items.max_tool_calls));
    let history = match value_of(&items.history) {
        Some(HistoryValue::Limits(items)) => value_of(&items.tools),
        _ => None,
    };
    let history = match history {
        None => quote!(None),
        Some(ToolHistoryValue::Names) => quote!(Names),
        Some(ToolHistoryValue::All) => quote!(All),
    };
    let tools = model.tools.iter().map(|tool| tool_definition(tool));
    quote! {
        ::cot_core::__private::ToolsDefinition {
            tools: &[#(#tools),*],
            max_calls: #max_calls,
            history: ::cot_core::__private::ToolHistory::#history,
        }
    }
}

fn tool_definition(tool: &Tool) -> TokenStream {
    let items = &tool.items;
    let name = tool.name.unraw().to_string();
    let description = match &tool.work {
        ToolWork::Function { description: Some(text), .. } => text.value(),
        _ => String::new(),
    };
    let effect = if is_once(&items.effect) { quote!(Once) } else { quote!(Repeatable) };
    let max_retries = max_retries(value_of(&items.retry));
    let retry = retry(value_of(&items.retry));
    let timeout = duration(value_of(&items.timeout).copied());
    let needs_approval = items.approve.is_some();
    let has_mock = items.mock.is_some();
    let named = tool.named().iter().map(|name| &name.name);
    let selection = match tool.work {
        ToolWork::Function { .. } => quote!(Function),
        ToolWork::Source(_) if tool.takes_all() => quote!(All),
        ToolWork::Source(_) => quote!(Named(&[#(#named),*])),
    };
    quote! {
        ::cot_core::__private::ToolDefinition {
            name: #name,
            description: #description,
            effect: ::cot_core::__private::Effect::#effect,
            max_retries: #max_retries,
            retry: #retry,
            timeout: #timeout,
            needs_approval: #needs_approval,
            has_mock: #has_mock,
            selection: ::cot_core::__private::ToolSelection::#selection,
        }
    }
}

/// Returns the maximum number of retries: none without `retry`.
fn max_retries(item: Option<&RetryItems>) -> u32 {
    let Some(items) = item else { return 0 };
    let max = value_of(&items.max).map(LitInt::base10_parse::<u32>);
    // A number that is out of range has been reported.
    max.map_or(DEFAULT_RETRIES, Result::unwrap_or_default)
}

/// Generates the tools of a task.
pub(super) fn uses(task: &Task<'_>) -> TokenStream {
    if task.tools.is_empty() {
        return quote!(::cot_core::__private::ToolUses::NONE);
    }
    let tools = task.tools.iter().map(|used| used.tool);
    let max_calls = number(value_of(&task.syntax.items.max_tool_calls));
    quote! {
        ::cot_core::__private::ToolUses { tools: &[#(#tools),*], max_calls: #max_calls }
    }
}

/// Generates the guards of the uses of tools; empty if none has one.
pub(super) fn use_guards(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let has_guard = task.tools.iter().any(|used| used.syntax.guard.is_some());
    let guards = task.tools.iter().map(|used| {
        let site = Site::for_task(model, task, Place::Guard, fallback_guard);
        guard_code(&site, used.syntax.guard.as_ref())
    });
    has_guard.then(|| quote!(&[#(#guards),*]))
}

/// Generates the typed functions of the tools of a process.
pub(super) fn code(model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let tools = model.tools.iter().map(|tool| {
        let guard = guard_code(&Site::for_tools(model, fallback_guard), tool.guard.as_ref());
        let work = match &tool.work {
            ToolWork::Function { path, .. } => function(model, tool, path, names),
            ToolWork::Source(expr) => source(expr, model),
        };
        quote!(::cot_core::__private::ToolCode { guard: #guard, work: #work })
    });
    quote!(&[#(#tools),*])
}

fn guard_code(site: &Site<'_>, expr: Option<&Expr>) -> TokenStream {
    let Locals { scope, .. } = Locals::new();
    option(expr.and_then(|expr| {
        let body = site.guard(expr)?;
        Some(quote_spanned!(expr.span()=> |#scope| { #body }))
    }))
}

/// Generates the functions of a tool. rustc infers the type of the arguments from the function.
fn function(model: &Model<'_>, tool: &Tool, path: &Path, names: &GeneratedNames) -> TokenStream {
    let mock = value_of(&tool.items.mock);
    let (process, span) = (&names.process, end(path));
    let [tool_schema, tool_arguments, check_tool_arguments, call_tool] =
        ["tool_schema", "tool_arguments", "check_tool_arguments", "call_tool"]
            .map(|function| callee(path, function));
    let Locals { scope, owned, value, inputs, .. } = &Locals::at(span);
    let mock = option(mock.map(|mock| {
        let call_tool_mock = callee(mock, "call_tool_mock");
        let answer = quote_spanned!(end(mock)=> #call_tool_mock(&#inputs, #scope, #path, #mock));
        quote_spanned! {span=>
            |#value, #scope| {
                let #inputs = #tool_arguments(#value, ::core::marker::PhantomData::<#process>, #path)
                    .map_err(::cot_core::__private::unusable_mock_arguments)?;
                #answer
            }
        }
    }));
    let check = match tool.items.found_in {
        None => quote_spanned! {span=>
            |#value, _| #check_tool_arguments(#value, ::core::marker::PhantomData::<#process>, #path)
        },
        Some(_) => {
            let (lookup, Locals { scope, output, .. }) =
                (arguments_found_in(model, tool), Locals::new());
            quote_spanned! {span=>
                |#value, #scope| {
                    let #output = #tool_arguments(#value, ::core::marker::PhantomData::<#process>, #path)?;
                    #lookup
                    ::core::result::Result::Ok(())
                }
            }
        }
    };
    quote_spanned! {span=>
        ::cot_core::__private::ToolWork::Function(::cot_core::__private::ToolFunctionCode {
            schema: || #tool_schema(::core::marker::PhantomData::<#process>, #path),
            check: #check,
            start: |#value, #owned| ::std::boxed::Box::pin(async move {
                let #inputs = #tool_arguments(&#value, ::core::marker::PhantomData::<#process>, #path)
                    .map_err(::cot_core::__private::unusable_arguments)?;
                let #scope = #owned.cx();
                ::cot_core::__private::finish_tool(
                    #call_tool(&#inputs, &#scope, #path),
                )
                .await
            }),
            mock: #mock,
        })
    }
}

/// Generates the source of tools, an expression over `app`, the context of the process.
fn source(expr: &Expr, model: &Model<'_>) -> TokenStream {
    if model.missing_context(expr).is_some() {
        // Never called: the process is refused, and this keeps a second error away.
        return quote!(::cot_core::__private::ToolWork::Source(|_| ::core::unimplemented!()));
    }
    let Locals { scope, .. } = Locals::at(expr.span());
    let context = model.context_type();
    let app = find_mention(expr, "app").map(|app| quote!(let #app: &#context = #scope;));
    // A call returns a reference by itself.
    let borrow = is_place(expr).then(|| quote_spanned!(expr.span()=> &));
    quote_spanned! {expr.span()=>
        ::cot_core::__private::ToolWork::Source(|#scope| {
            #app
            #borrow #expr
        })
    }
}
