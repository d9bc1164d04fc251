//! Describes the path of an untrusted value: `state.mail` -> task `read` -> `state.draft` -> task `send`.

use super::{
    facts::Fact,
    flow::{Flow, Origin},
};
use crate::model::Model;

/// Describes the path on which a fact came to hold, up to it. `last` is what it reaches.
pub(super) fn path_to(
    model: &Model<'_>,
    flow: &Flow,
    task: usize,
    fact: Fact,
    last: &str,
) -> String {
    let mut stations = vec![last.to_owned()];
    let mut next = Some((task, fact));
    while let Some((task, fact)) = next {
        let station = station(model, task, fact);
        if let Some(station) = station.filter(|station| stations.last() != Some(station)) {
            stations.push(station);
        }
        next = match flow.origin(task, fact) {
            Some(Origin::Fact(task, fact)) => Some((task, fact)),
            Some(Origin::Tool(tool)) => {
                stations.push(format!("the results of tool `{}`", model.tools[tool].name));
                None
            }
            Some(Origin::SubProcess) => {
                stations.push("the state of the sub-process".to_owned());
                None
            }
            Some(Origin::Declaration) | None => None,
        };
    }
    stations.reverse();
    stations.join(" -> ")
}

/// Returns the name of a fact in a path.
fn station(model: &Model<'_>, task: usize, fact: Fact) -> Option<String> {
    let name = || model.tasks.get(task).map(|task| format!("task `{}`", task.name()));
    match fact {
        Fact::Written(_) | Fact::Declared(_) | Fact::History | Fact::LastOutput | Fact::Goal => {
            Some(describe(model, fact))
        }
        Fact::Inputs | Fact::Item => Some(format!("{} of {}", describe(model, fact), name()?)),
        Fact::Shown | Fact::Output | Fact::Choice => name(),
        Fact::Source => None,
    }
}

/// Returns the words for a fact.
pub(super) fn describe(model: &Model<'_>, fact: Fact) -> String {
    match fact {
        Fact::Written(field) | Fact::Declared(field) => {
            format!("`state.{}`", model.state_fields()[field].name)
        }
        Fact::History => "the history".to_owned(),
        Fact::LastOutput => "`last_output`".to_owned(),
        Fact::Goal => "the goal".to_owned(),
        Fact::Inputs => "the inputs".to_owned(),
        Fact::Item => "the item".to_owned(),
        Fact::Choice => "the choice of a model".to_owned(),
        Fact::Source | Fact::Shown | Fact::Output => "the output".to_owned(),
    }
}
