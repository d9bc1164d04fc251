//! Layouts of many graphs.

use std::collections::BTreeMap;

use cot_engine::internal::KindTag;
use cot_store::{Status, StepHistory};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    draw::draw,
    layers::{back_edges, ranks},
    layout::{NODE_WIDTH, Route, layout},
    list::list,
    model::Graph,
};

fn manifest(tasks: usize, ways: &[(usize, usize, &str)]) -> Value {
    let task = |index: usize| {
        let ways = ways.iter().filter(|(from, ..)| *from == index);
        let ways: Vec<_> = ways
            .map(|(_, to, route)| json!({ "task": format!("t{to}"), "route": route }))
            .collect();
        json!({ "name": format!("t{index}"), "title": format!("Task {index}"), "kind": "ai", "ways": ways })
    };
    json!({ "name": "P", "start": "t0", "tasks": (0..tasks).map(task).collect::<Vec<_>>() })
}

fn graph(tasks: usize, ways: &[(usize, usize, &str)]) -> Graph {
    Graph::from_manifest(&manifest(tasks, ways)).expect("a graph")
}

#[test]
fn edges_lead_down_but_those_of_cycles() {
    let graph = graph(
        4,
        &[
            (0, 1, "transition"),
            (1, 0, "return"),
            (1, 2, "next"),
            (2, 2, "next"),
            (2, 3, "exhausted"),
        ],
    );
    assert_eq!(ranks(&graph), [0, 1, 2, 3]);
    assert_eq!(back_edges(&graph), [false, true, false, true, false]);
}

#[test]
fn visits_and_edges_are_counted() {
    let mut graph = graph(3, &[(0, 1, "next"), (1, 2, "next")]);
    let visits = BTreeMap::from([("t0".to_owned(), 7), ("t1".to_owned(), 2)]);
    graph.mark(&[], Some(&visits), &Status::Running { task: "t1".to_owned() });
    let html = draw(&graph, |_| Some("#x".to_owned())).into_string();
    assert!(html.contains("×7") && html.contains("node-active") && html.contains(">t2<"), "{html}");
    let text = list(&graph, |_| None).into_string();
    assert!(text.contains("t1 (Task 1): asks a model, the run is here, 2 times"), "{text}");
}

#[test]
fn how_often_an_edge_was_taken_is_said_only_where_all_steps_are_known() {
    let mut step = StepHistory::default();
    (step.task, step.next) = ("t0".to_owned(), Some("t1".to_owned()));
    let (steps, visits) = ([step.clone(), step], BTreeMap::from([("t0".to_owned(), 400)]));
    for (visits, said) in [(None, "automatic, taken 2 ×"), (Some(&visits), "automatic, taken<")] {
        let mut graph = graph(2, &[(0, 1, "next")]);
        graph.mark(&steps, visits, &Status::Queued);
        let text = list(&graph, |_| None).into_string();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn all_kinds_of_tasks_are_known() {
    let outlines = KindTag::ALL.iter().map(|kind| {
        let name = kind.info().manifest_name;
        let process = name.ends_with("process").then_some("Trip");
        let task = json!({ "name": "t", "kind": name, "process": process });
        let graph = Graph::from_manifest(&json!({ "tasks": [task] })).expect("a graph");
        let html = draw(&graph, |_| None).into_string();
        assert!(!html.contains("t: task"), "{name}: {html}");
        assert_eq!(html.contains("Trip"), process.is_some(), "{name}: {html}");
        html
    });
    assert_eq!(outlines.collect::<std::collections::BTreeSet<_>>().len(), KindTag::ALL.len());
}

#[test]
fn an_edge_to_a_join_leads_on() {
    let graph = graph(3, &[(0, 1, "branch"), (1, 2, "join"), (2, 0, "return")]);
    let html = draw(&graph, |_| None).into_string();
    assert!(html.contains("t1 → t2: automatic") && html.contains("t2 → t0: back"), "{html}");
}

#[test]
fn labels_are_within_the_graph() {
    let mut graph = graph(1, &[(0, 0, "next"), (0, 0, "exhausted")]);
    let width = |graph: &Graph| -> f64 {
        let html = draw(graph, |_| None).into_string();
        let (_, width) = html.split_once("width=\"").expect("the width of the graph");
        width.split('"').next().and_then(|width| width.parse().ok()).expect("a number")
    };
    let plain = width(&graph);
    graph.edges[0].taken = 399;
    let Some(Route::Loop(task)) = layout(&graph).routes.first().cloned() else { panic!("no loop") };
    // With a wide font, the four characters are 30 units wide.
    let end = task.x + NODE_WIDTH / 2.0 + 22.0 + 30.0;
    assert!(width(&graph) >= end && width(&graph) > plain, "{} {end}", width(&graph));
}

#[test]
fn eighty_tasks_are_laid_out() {
    let ways: Vec<_> = (0..79)
        .flat_map(|at| {
            [(at, at + 1, "next"), (at, at / 2, "return"), (at, (at + 7) % 80, "transition")]
        })
        .collect();
    let graph = graph(80, &ways);
    let html = draw(&graph, |_| None).into_string();
    assert!(html.contains("Task 0") && html.contains("Task 79"), "{html}");
    // What the layout takes grows with the points that edges pass: at most one in each row.
    for route in layout(&graph).routes {
        assert!(!matches!(route, Route::Through(points) if points.len() > 80));
    }
}

proptest! {
    #[test]
    fn any_graph_is_laid_out_without_overlaps(
        count in 1_usize..16,
        ways in prop::collection::vec((0_usize..16, 0_usize..16, 0_usize..4), 0..40),
    ) {
        let routes = ["transition", "next", "return", "exhausted"];
        let ways: Vec<_> = ways.into_iter().map(|(from, to, route)| (from % count, to % count, routes[route])).collect();
        let graph = graph(count, &ways);
        let layout = layout(&graph);
        prop_assert_eq!(layout.nodes.len(), count);
        for (index, one) in layout.nodes.iter().enumerate() {
            prop_assert!(one.x >= NODE_WIDTH / 2.0 && one.x <= layout.width - NODE_WIDTH / 2.0);
            for other in &layout.nodes[..index] {
                let is_apart = (one.y - other.y).abs() > 1.0 || (one.x - other.x).abs() >= NODE_WIDTH;
                prop_assert!(is_apart, "{:?} {:?}", one, other);
            }
        }
        for (edge, route) in graph.edges.iter().zip(&layout.routes) {
            match route {
                Route::Loop(_) => prop_assert_eq!(edge.from, edge.to),
                Route::Through(points) => prop_assert!(points.len() >= 2),
            }
        }
        draw(&graph, |_| None);
    }
}
