//! Ranks the tasks of a graph.

use super::model::{Graph, Sort};

/// Returns the ranks of the tasks, from 0 at the start: each edge leads to a larger rank, except those that close a cycle.
pub(super) fn ranks(graph: &Graph) -> Vec<usize> {
    let count = graph.nodes.len();
    let leads_back = back_edges(graph);
    let mut open = vec![0_usize; count];
    let forward = || graph.edges.iter().zip(&leads_back).filter(|(_, back)| !**back);
    for (edge, _) in forward() {
        open[edge.to] += 1;
    }
    let mut ranks = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|node| open[*node] == 0).collect();
    while let Some(node) = ready.pop() {
        for (edge, _) in forward().filter(|(edge, _)| edge.from == node) {
            ranks[edge.to] = ranks[edge.to].max(ranks[node] + 1);
            open[edge.to] -= 1;
            if open[edge.to] == 0 {
                ready.push(edge.to);
            }
        }
    }
    ranks
}

/// Returns which edges close a cycle, in a depth-first search from the start.
pub(super) fn back_edges(graph: &Graph) -> Vec<bool> {
    let count = graph.nodes.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, edge) in graph.edges.iter().enumerate() {
        out[edge.from].push(index);
    }
    // What leads on decides the order, and what leads back comes last.
    let order = |index: &usize| graph.edges.get(*index).map(|edge| edge.sort == Sort::Back);
    out.iter_mut().for_each(|edges| edges.sort_by_key(order));
    let mut leads_back = vec![false; graph.edges.len()];
    let (mut is_seen, mut is_open) = (vec![false; count], vec![false; count]);
    let starts = [graph.start].into_iter().chain(0..count).filter(|start| *start < count);
    for start in starts {
        if is_seen[start] {
            continue;
        }
        let mut path = vec![(start, 0)];
        (is_seen[start], is_open[start]) = (true, true);
        while let Some((node, next)) = path.last_mut() {
            let Some(&index) = out[*node].get(*next) else {
                is_open[*node] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let to = graph.edges[index].to;
            if is_open[to] {
                leads_back[index] = true;
            } else if !is_seen[to] {
                (is_seen[to], is_open[to]) = (true, true);
                path.push((to, 0));
            }
        }
    }
    leads_back
}
