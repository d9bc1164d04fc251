//! A graph as text.

use maud::{Markup, html};

use super::{
    draw::describe,
    model::{Graph, Node},
};
use crate::frame::text::shown;

/// Lists the tasks of a graph with the edges that lead away from each.
pub(crate) fn list(graph: &Graph, link: impl Fn(&Node) -> Option<String>) -> Markup {
    html! {
        details.fold #graph-list {
            summary { "The graph as a list" }
            ul {
                @for (index, node) in graph.nodes.iter().enumerate() {
                    li {
                        @match link(node) {
                            Some(address) => a href=(address) { (describe(node)) },
                            None => (describe(node)),
                        }
                        ul {
                            @for edge in graph.edges.iter().filter(|edge| edge.from == index) {
                                li {
                                    "→ " (shown(graph.nodes.get(edge.to).map_or("", |to| to.name.as_str())))
                                    " (" (edge.routes.join(", ").replace('_', " ")) "): " (edge.sort.words())
                                    @if edge.taken > 0 { ", taken" }
                                    @if edge.taken > 1 { " " (edge.taken) " ×" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
