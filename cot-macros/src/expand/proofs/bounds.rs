//! Generates what a run costs at most.

use cot_bounds::{Bound, Limits, Quantity, WorstCase};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::expand::{
    names::GeneratedNames,
    values::{integer, option, value_of},
};
use crate::{
    check::{
        Checked,
        bounds::{
            causes::Cause,
            evaluate::Evaluated,
            plan::{Node, Plan},
            rules::limits,
            visit::VisitCost,
        },
    },
    model::Model,
};
use cot_syntax::AtMostItems;

/// Generates the `BoundsDefinition` of a process.
pub(in crate::expand) fn definition(checked: &Checked<'_>) -> TokenStream {
    let bounds = quote!(::cot_core::__private::BoundsDefinition);
    let Some(plan) = &checked.plan else { return quote!(#bounds::NONE) };
    let default = plan.limits.steps.filter(|_| plan.limits.is_default);
    let default_steps = option(default.map(|steps| quote!(#steps)));
    let at_most = option(value_of(&checked.model.syntax.items.at_most).map(at_most));
    let causes = Cause::all_in(plan, &checked.model).into_iter().map(|cause| cause.text);
    quote! {
        #bounds {
            run: ::cot_core::__private::worst_case::<Self>(),
            default_steps: #default_steps,
            at_most: #at_most,
            causes: &[#(#causes),*],
        }
    }
}

fn at_most(items: &AtMostItems) -> TokenStream {
    let [calls, output_tokens, questions] =
        limits(items).map(|(_, limit)| value_of(limit).map_or_else(|| option(None), integer));
    quote! {
        ::cot_core::__private::AtMost {
            calls: #calls, output_tokens: #output_tokens, questions: #questions,
        }
    }
}

/// Generates the type that has the bounds as constants, its use in `Process`, and the constants whose evaluation fails
/// if sub-processes exceed `at_most`.
pub(in crate::expand) fn expand(
    checked: &Checked<'_>,
    names: &GeneratedNames,
) -> (TokenStream, TokenStream) {
    let Some(plan) = &checked.plan else {
        return (
            quote!(
                type Bounds<D: ::cot_core::__private::BoundsDepth> = ();
            ),
            TokenStream::new(),
        );
    };
    let name = format_ident!("__{}Bounds", names.process);
    let (run, step) = match Evaluated::new(plan) {
        Some(costs) => (literal(&costs.run), literal(&costs.step)),
        None => (run(plan), step(plan)),
    };
    let checks = checks(plan, &checked.model, names);
    let items = quote! {
        pub struct #name<D>(::core::marker::PhantomData<D>);
        // A path after the generics would not be found if the crate is renamed.
        use ::cot_core::__private::Bounded as __Bounded;

        impl<D: ::cot_core::__private::BoundsDepth> __Bounded for #name<D> {
            const RUN: ::cot_core::__private::WorstCase = #run;
            const STEP: ::cot_core::__private::WorstCase = #step;
        }
        #checks
    };
    (quote!(type Bounds<D: ::cot_core::__private::BoundsDepth> = #name<D>;), items)
}

fn checks(plan: &Plan<'_>, model: &Model<'_>, names: &GeneratedNames) -> TokenStream {
    let at_most = value_of(&model.syntax.items.at_most).filter(|_| plan.has_children());
    let process = &names.process;
    let checks = at_most.into_iter().flat_map(limits).filter_map(|(quantity, limit)| {
        let literal = value_of(limit)?;
        let quantity = match quantity {
            Quantity::ModelCalls => quote!(ModelCalls),
            Quantity::OutputTokens => quote!(OutputTokens),
            _ => quote!(Questions),
        };
        let number = literal.base10_parse::<u64>().ok()?;
        Some(quote_spanned! {literal.span()=>
            const _: () = ::cot_core::__private::check_at_most::<#process>(
                ::cot_core::__private::Quantity::#quantity, #number,
            );
        })
    });
    checks.collect()
}

fn literal(case: &WorstCase) -> TokenStream {
    let fields = fields(case);
    if fields.is_empty() {
        return quote!(::cot_core::__private::WorstCase::NOTHING);
    }
    quote!(::cot_core::__private::WorstCase { #(#fields,)* ..::cot_core::__private::WorstCase::NOTHING })
}

fn fields(case: &WorstCase) -> Vec<TokenStream> {
    let WorstCase { model_calls, function_calls, questions, output_tokens, prompt_bytes } = case;
    let fields = [
        ("model_calls", model_calls),
        ("function_calls", function_calls),
        ("questions", questions),
        ("output_tokens", output_tokens),
        ("prompt_bytes", prompt_bytes),
    ];
    let used = fields.into_iter().filter(|(_, bound)| **bound != Bound::ZERO);
    let used = used.map(|(name, bound)| {
        let (name, bound) = (Ident::new(name, Span::mixed_site()), number(*bound));
        quote!(#name: #bound)
    });
    used.collect()
}

fn number(bound: Bound) -> TokenStream {
    match bound.get() {
        Some(number) => quote!(::cot_core::__private::Bound::at_most(#number)),
        None => quote!(::cot_core::__private::Bound::UNBOUNDED),
    }
}

/// Generates the costs of a run with sub-processes: a constant for each node of the plan.
fn run(plan: &Plan<'_>) -> TokenStream {
    let nodes = plan.nodes.iter().enumerate().map(|(index, node)| {
        let (name, cost) = (node_name(index), node_cost(plan, node));
        quote!(let #name = #cost;)
    });
    let start = node_name(plan.start);
    let Limits { steps, is_default, model_calls } = plan.limits;
    let steps = option(steps.map(|steps| quote!(#steps)));
    let model_calls = option(model_calls.map(number));
    quote! {{
        #(#nodes)*
        #start.limited(<Self as ::cot_core::__private::Bounded>::STEP, ::cot_core::__private::Limits {
            steps: #steps, is_default: #is_default, model_calls: #model_calls,
        })
    }}
}

fn node_cost(plan: &Plan<'_>, node: &Node) -> TokenStream {
    match node {
        Node::Visit { task, branches, next } => {
            let branches = branches.iter().map(|node| node_name(*node));
            let (visit, next) = (visit_cost(&plan.visits[*task], &quote!(RUN)), most(next));
            quote!(#visit #(.plus(#branches))* #next)
        }
        Node::Return { next } => {
            let next = most(next);
            quote!(::cot_core::__private::WorstCase::NOTHING #next)
        }
        Node::Loop { laps, lap, next, .. } => {
            let (laps, lap, next) = (number(*laps), most(lap), most(next));
            quote!(::cot_core::__private::WorstCase::NOTHING #lap.times(#laps) #next)
        }
    }
}

/// Generates the addition of the most expensive of several nodes.
fn most(nodes: &[usize]) -> TokenStream {
    let mut names = nodes.iter().map(|node| node_name(*node));
    let Some(first) = names.next() else { return TokenStream::new() };
    quote!(.plus(#first #(.or(#names))*))
}

/// Generates the most that a step costs.
fn step(plan: &Plan<'_>) -> TokenStream {
    let steps = plan.reached.iter().map(|task| visit_cost(&plan.visits[*task], &quote!(STEP)));
    quote!(::cot_core::__private::WorstCase::NOTHING #(.or(#steps))*)
}

/// Generates the cost of a visit. `of_child` is the constant of the sub-process.
fn visit_cost(visit: &VisitCost<'_>, of_child: &TokenStream) -> TokenStream {
    let own = literal(&visit.own);
    let Some((times, path)) = &visit.child else { return own };
    let times = number(*times);
    quote_spanned! {syn::spanned::Spanned::span(path)=>
        <D::Bounds<#path> as ::cot_core::__private::Bounded>::#of_child.times(#times)
    }
}

fn node_name(index: usize) -> Ident {
    format_ident!("node_{index}", span = Span::mixed_site())
}
