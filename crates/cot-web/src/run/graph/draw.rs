//! Draws a graph as SVG.

use std::fmt::Write;

use cot_engine::internal::KindTag;
use maud::{Markup, html};

use super::{
    layout::{Layout, NODE_HEIGHT, NODE_WIDTH, Point, Route, layout},
    model::{Edge, Graph, Node, NodeState, Sort},
};
use crate::frame::text::{excerpt, shown};

/// The distance of a label from its edge.
const LABEL_GAP: f64 = 4.0;
/// The width of a character of labels and counts, which are small.
const SMALL_CHAR: f64 = 8.0;
/// The width up to which a graph can be read when it is as narrow as a telephone.
const SMALL_GRAPH: f64 = 600.0;

/// Draws a graph. `link` returns the address of the steps of a task.
pub(crate) fn draw(graph: &Graph, link: impl Fn(&Node) -> Option<String>) -> Markup {
    let layout = layout(graph);
    let (width, height) = (width_with_labels(graph, &layout), layout.height);
    html! {
        svg.graph.graph-small[width <= SMALL_GRAPH] xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
            width=(width) height=(height) role="group" aria-label="The graph of the process" {
            defs {
                @for (id, class) in [("head", "edge-head"), ("head-taken", "edge-head-taken")] {
                    marker id=(id) viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"
                        markerUnits="userSpaceOnUse" orient="auto-start-reverse" {
                        path class=(class) d="M0 0L10 5L0 10z" {}
                    }
                }
            }
            // What was taken is above what was not.
            @for is_taken in [false, true] {
                @for (edge, route) in graph.edges.iter().zip(&layout.routes) {
                    @if (edge.taken > 0) == is_taken { (draw_edge(graph, edge, route)) }
                }
            }
            @for (node, centre) in graph.nodes.iter().zip(&layout.nodes) {
                @match link(node) {
                    Some(address) => a href=(address) { (draw_node(node, *centre)) },
                    None => (draw_node(node, *centre)),
                }
            }
        }
    }
}

/// Describes a task and what became of it.
pub(super) fn describe(node: &Node) -> String {
    let mut text = shown(&node.name).into_owned();
    if node.title != node.name {
        _ = write!(text, " ({})", shown(&node.title));
    }
    _ = write!(text, ": {}", node.words());
    if let Some(process) = &node.process {
        _ = write!(text, " {}", shown(process));
    }
    text.push_str(", ");
    text.push_str(match node.state {
        NodeState::Unvisited => "not visited",
        NodeState::Visited => "visited",
        NodeState::Active => "the run is here",
        NodeState::Waiting => "the run waits for a person here",
        NodeState::Failed => "the run failed here",
        NodeState::Ended => "the run succeeded here",
    });
    if node.visits > 1 {
        _ = write!(text, ", {} times", node.visits);
    }
    text
}

fn draw_node(node: &Node, Point { x, y }: Point) -> Markup {
    let class = match node.state {
        NodeState::Unvisited => "node",
        NodeState::Visited => "node node-taken",
        NodeState::Active => "node node-active",
        NodeState::Waiting => "node node-waiting",
        NodeState::Failed => "node node-failed",
        NodeState::Ended => "node node-good",
    };
    html! {
        g class=(class) transform=(format!("translate({x} {y})")) {
            title { (describe(node)) }
            (shape(node.kind))
            text text-anchor="middle" y="-1" { (excerpt(&node.name, 22)) }
            text.node-kind text-anchor="middle" y="14" {
                @match &node.process {
                    Some(process) => (excerpt(&format!("{} {process}", node.words()), 26)),
                    None => (node.words()),
                }
            }
            @if node.visits > 1 {
                (count(&format!("×{}", node.visits)))
            }
        }
    }
}

/// Draws how often a task was visited, at its upper right corner.
fn count(text: &str) -> Markup {
    let width = text_width(text) + 8.0;
    html! {
        g.node-count transform=(format!("translate({} {})", NODE_WIDTH / 2.0 - 8.0, -NODE_HEIGHT / 2.0)) {
            rect x=(-width / 2.0) y="-9" width=(width) height="18" rx="9" {}
            text text-anchor="middle" y="4" { (text) }
        }
    }
}

/// Returns the width of a small text, with some room.
fn text_width(text: &str) -> f64 {
    f64::from(u32::try_from(text.chars().count()).unwrap_or(u32::MAX)) * SMALL_CHAR
}

/// Returns the width of the graph with the labels beside its edges.
fn width_with_labels(graph: &Graph, layout: &Layout) -> f64 {
    let ends = graph.edges.iter().zip(&layout.routes).map(|(edge, route)| {
        let (label, (_, middle)) = (label(edge), path(route));
        if label.is_empty() { 0.0 } else { middle.x + LABEL_GAP + text_width(&label) }
    });
    ends.fold(layout.width, f64::max)
}

/// Returns what stands beside an edge: the routes of a failure, and how often it was taken.
fn label(edge: &Edge) -> String {
    let label = match (edge.sort, edge.taken) {
        (Sort::Failure, 0..=1) => edge.routes.join(", "),
        (Sort::Failure, taken) => format!("{} ×{taken}", edge.routes.join(", ")),
        (_, 0..=1) => String::new(),
        (_, taken) => format!("×{taken}"),
    };
    excerpt(&label, 24)
}

/// Returns the outline of a kind, around the origin.
fn shape(kind: Option<KindTag>) -> Markup {
    let (w, h) = (NODE_WIDTH / 2.0, NODE_HEIGHT / 2.0);
    let polygon = |points: &[(f64, f64)]| {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        html! { polygon points=(points.join(" ")) {} }
    };
    let rect = |inset: f64, radius: f64| {
        html! {
            rect x=(inset - w) y=(inset - h) width=(2.0 * (w - inset)) height=(2.0 * (h - inset)) rx=(radius) {}
        }
    };
    // Another one shows behind it.
    let stacked = |radius: f64| {
        html! {
            rect x=(4.0 - w) y=(-h - 4.0) width=(NODE_WIDTH) height=(NODE_HEIGHT) rx=(radius) {}
            (rect(0.0, radius))
        }
    };
    let Some(kind) = kind else { return rect(0.0, 10.0) };
    match kind {
        KindTag::Ai => rect(0.0, 10.0),
        KindTag::Code => rect(0.0, 0.0),
        KindTag::Calls => polygon(&[(-w, -h), (w - 10.0, -h), (w, 0.0), (w - 10.0, h), (-w, h)]),
        KindTag::ForEach => stacked(10.0),
        KindTag::ForEachFunction => stacked(0.0),
        KindTag::ForEachProcess => stacked(2.0),
        KindTag::Human => polygon(&[(12.0 - w, -h), (w, -h), (w - 12.0, h), (-w, h)]),
        KindTag::Process => html! { (rect(0.0, 2.0)) (rect(4.0, 0.0)) },
        KindTag::Parallel | KindTag::Gateway => polygon(&[
            (-w, 0.0),
            (14.0 - w, -h),
            (w - 14.0, -h),
            (w, 0.0),
            (w - 14.0, h),
            (14.0 - w, h),
        ]),
        KindTag::End => rect(0.0, h),
        KindTag::Fail => polygon(&[
            (-w, -8.0),
            (16.0 - w, -h),
            (w - 16.0, -h),
            (w, -8.0),
            (w, 8.0),
            (w - 16.0, h),
            (16.0 - w, h),
            (-w, 8.0),
        ]),
    }
}

fn draw_edge(graph: &Graph, edge: &Edge, route: &Route) -> Markup {
    let sort = match edge.sort {
        Sort::Choice => "edge edge-choice",
        Sort::Automatic => "edge edge-automatic",
        Sort::Back => "edge edge-back",
        Sort::Failure => "edge edge-failure",
    };
    let is_taken = edge.taken > 0;
    let head = if is_taken { "url(#head-taken)" } else { "url(#head)" };
    let (path, middle) = path(route);
    let name = |at: usize| graph.nodes.get(at).map_or("", |node| node.name.as_str());
    let label = label(edge);
    html! {
        g {
            title {
                (shown(name(edge.from))) " → " (shown(name(edge.to))) ": " (edge.sort.words())
                @if is_taken { ", taken" } @if edge.taken > 1 { " " (edge.taken) " times" }
            }
            path class={ (sort) @if is_taken { " edge-taken" } } d=(path) marker-end=(head) {}
            @if !label.is_empty() {
                text.edge-label x=(middle.x + LABEL_GAP) y=(middle.y + 4.0) { (label) }
            }
        }
    }
}

/// Returns the path of a route, and the point of its label.
fn path(route: &Route) -> (String, Point) {
    match route {
        Route::Loop(Point { x, y }) => {
            let right = x + NODE_WIDTH / 2.0;
            let path = format!(
                "M{right} {} C{} {} {} {} {right} {}",
                y - 10.0,
                right + 30.0,
                y - 22.0,
                right + 30.0,
                y + 22.0,
                y + 10.0
            );
            (path, Point { x: right + 18.0, y: y - 14.0 })
        }
        Route::Through(points) => {
            let mut path = String::new();
            let mut last: Option<Point> = None;
            for Point { x, y } in points {
                match last {
                    None => _ = write!(path, "M{x} {y}"),
                    Some(from) => {
                        let middle = f64::midpoint(from.y, *y);
                        _ = write!(path, " C{} {middle} {x} {middle} {x} {y}", from.x);
                    }
                }
                last = Some(Point { x: *x, y: *y });
            }
            let pair = points.first().zip(points.get(1));
            let middle = pair.map_or_else(Point::default, |(a, b)| Point {
                x: f64::midpoint(a.x, b.x),
                y: f64::midpoint(a.y, b.y),
            });
            (path, middle)
        }
    }
}
