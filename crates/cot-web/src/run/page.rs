//! The page of a run.

use maud::{Markup, html};

use super::{
    case,
    graph::{
        draw::draw,
        list::list,
        model::{Graph, Node},
    },
    head,
    load::{RunView, Window},
    timeline, trust,
};
use crate::{
    error::PageError,
    frame::{
        page::{Page, Section},
        text::shown,
    },
    visit::{RunName, Visit},
};

/// Shows a run. The query names a step on the wanted page of the time line (`with`) and its order.
pub(super) async fn show(visit: Visit, RunName(run): RunName) -> Result<Markup, PageError> {
    let with = visit.query().parsed("with");
    let view = RunView::load(&visit, &run, with).await?;
    let body = html! {
        (head::head(&visit, &view))
        @if let Some(error) = view.error {
            div.notice.notice-error #unreadable data-live role="alert" {
                strong { "Not all of this run can be read." }
                p { "What can be read is shown." }
                (PageError::from(error).body())
            }
        }
        @let view = RunView { error: None, ..view };
        // Also without a graph: that of a run that has not begun is shown when there is one.
        div #graphs data-live { (graphs(&view)) }
        @if let Some(marks) = &view.trust { (trust::trust(marks)) }
        (timeline::timeline(&visit, &view))
        (case::form(&visit, &view))
    };
    let page = Page::new(&visit, run.as_str()).section(Section::Runs);
    Ok(page.live(visit.links().run_live(&run)).body(body))
}

fn graphs(view: &RunView) -> Markup {
    let Some((_, graph)) = view.graphs.first() else { return html! {} };
    let window = view.window;
    html! {
        section.card aria-labelledby="graph-title" {
            div.page-head {
                h2 #graph-title { "Graph" }
                fieldset.zoom {
                    legend.visually-hidden { "Size of the graph" }
                    @for (id, text) in [("zoom-fit", "Fit"), ("zoom-whole", "100 %"), ("zoom-large", "150 %")] {
                        label for=(id) { input type="radio" name="zoom" id=(id) checked[id == "zoom-fit"]; (text) }
                    }
                }
            }
            @if !view.is_described {
                p.muted.small {
                    "Drawn from the steps of this run: the store has no description of its process yet. A program that \
                     runs the process stores one."
                }
            }
            div #graph data-live {
                div.graph-scroll tabindex="0" role="region" aria-label="Graph" {
                    (draw(graph, |node| address(node, window)))
                }
                (legend(graph))
                @for (index, (name, graph)) in view.graphs.iter().enumerate().skip(1) {
                    details.fold id=(format!("graph-{index}")) {
                        summary { "Sub-process " (shown(name.as_deref().unwrap_or_default())) }
                        div.graph-scroll tabindex="0" role="region" aria-label="Graph of a sub-process" {
                            (draw(graph, |_| None))
                        }
                    }
                }
                (list(graph, |node| address(node, window)))
            }
        }
    }
}

/// Returns the address of the last step of a task on this page.
fn address(node: &Node, _: Window) -> Option<String> {
    node.step.map(|step| format!("#step-{step}"))
}

fn legend(graph: &Graph) -> Markup {
    use super::graph::model::Sort;

    let sorts = [
        (Sort::Choice, "edge-choice", "the model chooses"),
        (Sort::Automatic, "edge-automatic", "automatic"),
        (Sort::Back, "edge-back", "back"),
        (Sort::Failure, "edge-failure", "after a failure"),
    ];
    html! {
        ul.legend.small {
            @for (sort, class, text) in sorts {
                @if graph.edges.iter().any(|edge| edge.sort == sort) {
                    li {
                        svg width="30" height="8" aria-hidden="true" {
                            path class=(format!("edge {class}")) d="M0 4H30" {}
                        }
                        (text)
                    }
                }
            }
            @if graph.edges.iter().any(|edge| edge.taken > 0) {
                li {
                    svg width="30" height="8" aria-hidden="true" { path.edge.edge-taken d="M0 4H30" {} }
                    "taken"
                }
            }
        }
    }
}
