//! Places the tasks of a graph and routes its edges.
//!
//! `rust-sugiyama` orders the layers and places what is in them. It returns no routes of edges, so an edge over
//! several layers is given to it as a chain of points, which are its route.

use std::{collections::BTreeSet, panic};

use rust_sugiyama::{configure::Config, from_vertices_and_edges};

use super::{layers::ranks, model::Graph};

/// The width of a task.
pub(super) const NODE_WIDTH: f64 = 176.0;
/// The height of a task.
pub(super) const NODE_HEIGHT: f64 = 46.0;
/// The width that an edge takes in a layer that it passes.
const POINT_WIDTH: f64 = 22.0;
/// The distance between layers.
const LAYER_GAP: f64 = 44.0;
/// The distance between the tasks of a layer.
const NODE_GAP: f64 = 26.0;
/// The empty space around the graph.
const MARGIN: f64 = 28.0;

/// A graph with places.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The centre of each task.
    pub(super) nodes: Vec<Point>,
    /// The route of each edge, from its first task to its second.
    pub(super) routes: Vec<Route>,
}

/// The route of an edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Route {
    /// Through points, down or up.
    Through(Vec<Point>),
    /// From a task to itself.
    Loop(Point),
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Places the tasks of a graph.
pub(super) fn layout(graph: &Graph) -> Layout {
    let chains = chains(graph, ranks(graph));
    let xs = place(graph, &chains).unwrap_or_else(|| fallback(&chains));
    let left = xs.iter().copied().fold(f64::INFINITY, f64::min);
    let offset = MARGIN + NODE_WIDTH / 2.0 - if left.is_finite() { left } else { 0.0 };
    let point = |vertex: usize| Point {
        x: round(xs.get(vertex).copied().unwrap_or_default() + offset),
        y: layer_y(chains.ranks.get(vertex).copied().unwrap_or_default()),
    };
    let nodes: Vec<Point> = (0..graph.nodes.len()).map(point).collect();
    let all = (0..chains.ranks.len()).map(point);
    let (width, height) = all
        .fold((0.0_f64, 0.0_f64), |(width, height), Point { x, y }| (width.max(x), height.max(y)));
    let routes = chains.of_edges.iter().enumerate().map(|(index, chain)| {
        let edge = &graph.edges[index];
        if edge.from == edge.to {
            return Route::Loop(nodes[edge.from]);
        }
        Route::Through(chain.iter().map(|vertex| point(*vertex)).collect())
    });
    let mut layout = Layout {
        width: width + NODE_WIDTH / 2.0 + MARGIN,
        height: height + NODE_HEIGHT / 2.0 + MARGIN,
        routes: routes.collect(),
        nodes,
    };
    spread(graph, &mut layout);
    layout
}

/// The vertices of the layout: the tasks, then the points of edges in the layers that they pass.
struct Chains {
    ranks: Vec<usize>,
    /// The vertices of each edge, from its first task to its second.
    of_edges: Vec<Vec<usize>>,
}

fn chains(graph: &Graph, mut ranks: Vec<usize>) -> Chains {
    let mut of_edges = Vec::new();
    for edge in &graph.edges {
        let (from, to) = (ranks[edge.from], ranks[edge.to]);
        let mut chain = vec![edge.from];
        let passed: Vec<usize> =
            if from < to { (from + 1..to).collect() } else { (to + 1..from).rev().collect() };
        for rank in passed {
            chain.push(ranks.len());
            ranks.push(rank);
        }
        chain.push(edge.to);
        of_edges.push(chain);
    }
    Chains { ranks, of_edges }
}

/// Returns the x of each vertex; `None` if the graph can't be laid out.
fn place(graph: &Graph, chains: &Chains) -> Option<Vec<f64>> {
    let count = graph.nodes.len();
    let vertices: Vec<(u32, (f64, f64))> = (0_u32..)
        .zip(&chains.ranks)
        .enumerate()
        .map(|(index, (vertex, _))| {
            let width = if index < count { NODE_WIDTH } else { POINT_WIDTH };
            (vertex, (width, NODE_HEIGHT))
        })
        .collect();
    let mut edges = BTreeSet::new();
    for pair in chains.of_edges.iter().flat_map(|chain| chain.windows(2)) {
        let [one, other] = *pair else { continue };
        let is_down = chains.ranks[one] < chains.ranks[other];
        let (from, to) = if is_down { (one, other) } else { (other, one) };
        if chains.ranks[from] < chains.ranks[to] {
            edges.insert((u32::try_from(from).ok()?, u32::try_from(to).ok()?));
        }
    }
    let edges: Vec<(u32, u32)> = edges.into_iter().collect();
    let config = Config { vertex_spacing: NODE_GAP, dummy_vertices: false, ..Config::default() };
    let run = || from_vertices_and_edges(&vertices, &edges, &config);
    let layouts = panic::catch_unwind(panic::AssertUnwindSafe(run)).ok()?;
    let mut xs = vec![f64::NAN; vertices.len()];
    let mut left = 0.0;
    for (vertices, ..) in layouts {
        let part = || vertices.iter().map(|(_, (x, _))| *x).filter(|x| x.is_finite());
        let (low, high) = (part().fold(f64::INFINITY, f64::min), part().fold(0.0, f64::max));
        for (vertex, (x, _)) in &vertices {
            *xs.get_mut(*vertex)? = left + x - low;
        }
        left += (high - low).max(0.0) + NODE_WIDTH + NODE_GAP;
    }
    xs.iter().all(|x| x.is_finite()).then_some(xs)
}

/// Places the vertices of each layer side by side.
fn fallback(chains: &Chains) -> Vec<f64> {
    let mut used = vec![0.0; chains.ranks.iter().max().map_or(0, |rank| rank + 1)];
    let place = |rank: &usize| {
        let x = used[*rank];
        used[*rank] += NODE_WIDTH + NODE_GAP;
        x
    };
    chains.ranks.iter().map(place).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a graph has few layers")]
fn layer_y(rank: usize) -> f64 {
    MARGIN + NODE_HEIGHT / 2.0 + rank as f64 * (NODE_HEIGHT + LAYER_GAP)
}

/// Spreads the ends of the edges over the lower and the upper side of their tasks.
#[expect(clippy::cast_precision_loss, reason = "a task has few edges")]
fn spread(graph: &Graph, layout: &mut Layout) {
    let Layout { nodes, routes, .. } = layout;
    for (node, centre) in nodes.iter().enumerate() {
        for is_lower in [false, true] {
            // The ends at this side: the edge, whether it is its last point, and where the edge comes from.
            let mut ends: Vec<(usize, bool, f64)> = Vec::new();
            for (index, route) in routes.iter().enumerate() {
                let Route::Through(points) = route else { continue };
                let edge = &graph.edges[index];
                let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
                let inner = points.len() - 2;
                let is_down = first.y < last.y;
                if edge.from == node && is_down == is_lower {
                    ends.push((index, false, points[1].x));
                }
                if edge.to == node && is_down != is_lower {
                    ends.push((index, true, points[inner].x));
                }
            }
            ends.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
            let step = (NODE_WIDTH * 0.7 / (ends.len() + 1) as f64).min(26.0);
            let first = centre.x - step * (ends.len().saturating_sub(1)) as f64 / 2.0;
            let y = centre.y + if is_lower { NODE_HEIGHT / 2.0 } else { -NODE_HEIGHT / 2.0 };
            for (place, (index, is_last, _)) in ends.into_iter().enumerate() {
                let Some(Route::Through(points)) = routes.get_mut(index) else { continue };
                let end = if is_last { points.last_mut() } else { points.first_mut() };
                let x = round(first + step * place as f64);
                end.into_iter().for_each(|end| *end = Point { x, y });
            }
        }
    }
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
