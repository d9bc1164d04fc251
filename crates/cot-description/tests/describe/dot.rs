//! The description as a Graphviz graph.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use crate::processes::{Library, Office};

#[test]
fn draws_every_way_in_its_style() {
    let dot = Library::describe().dot();
    let expected = r#"digraph "Library" {
    label="Library";
    labelloc=t;
    node [fontname="sans-serif"];
    edge [fontname="sans-serif", fontsize=10];
    t0 [label="Look &amp; \"see\" <b>\\N {a|b}", shape=box];
    t1 [label="found", shape=doublecircle];
    t2 [label="lost", shape=octagon];
    t_start [label="", shape=circle, width=0.2];
    t_start -> t0;
    t0 -> t1 [style=solid];
    t0 -> t0 [style=solid];
    t0 -> t2 [style=solid];
}
"#;
    assert_eq!(dot, expected);
}

#[test]
fn a_process_within_is_a_cluster_once() {
    let dot = Office::describe().dot();
    assert_eq!(dot.matches("subgraph cluster_t6 {").count(), 1, "{dot}");
    assert_eq!(dot.matches("subgraph").count(), 1, "{dot}");
    assert!(dot.contains("        t6_t0 -> t6_t1 [style=solid];"), "{dot}");
    assert!(dot.contains("    t3 -> t0 [style=bold, label=\"guarded\"];"), "{dot}");
    assert!(dot.contains("    t0 -> t9 [style=dotted, label=\"timeout\"];"), "{dot}");
    assert!(dot.contains("    t1 -> t0 [style=dashed];"), "{dot}");
}

#[test]
#[ignore = "needs the program `dot` of Graphviz"]
fn graphviz_reads_it() {
    let dot = Command::new("dot").arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut dot = dot.unwrap();
    let graph = Office::describe().dot();
    dot.stdin.take().unwrap().write_all(graph.as_bytes()).unwrap();
    let output = dot.wait_with_output().unwrap();
    assert!(output.status.success(), "{graph}");
    let svg = String::from_utf8(output.stdout).unwrap();
    // The title is unchanged: nothing in it is an escape or an entity.
    assert!(svg.contains(r"Look &amp; &quot;see&quot; &lt;b&gt;\N {a|b}"), "{svg}");
    assert_eq!(svg.matches("class=\"cluster\"").count(), 1);
}
