//! Forks a run at a step.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use cot_store::{Fork, RunId, Status, snapshot_at};
use serde_json::Value;

use super::{
    fork_page::{Entered, Position, page},
    json_text, names,
};
use crate::{
    error::PageError,
    fields::Fields,
    frame::{
        flash::{Done, saying},
        page::see_other,
    },
    visit::{RunName, Visit},
};

pub(crate) async fn show(visit: Visit, RunName(run): RunName) -> Result<Response, PageError> {
    let position = position(&visit, &run, visit.query()).await?;
    let entered = Entered {
        name: names::for_fork(&visit, &run, position.at).await?,
        state: serde_json::to_string_pretty(&position.state).unwrap_or_default(),
        goal: position.goal.clone(),
        ..Entered::default()
    };
    Ok(page(&visit, &position, &entered).await?.into_response())
}

/// Reads the position that a query or a form names; by default the last one.
async fn position(visit: &Visit, run: &RunId, fields: &Fields) -> Result<Position, PageError> {
    let run = visit.require_run(run).await?;
    let at = match fields.filled("at") {
        None => run.steps,
        Some(at) => at.parse().map_err(|_| {
            PageError::bad_request("The step is not a number.")
                .link(visit.links().fork(&run.run, None), "Fork this run")
        })?,
    };
    let snapshot = snapshot_at(visit.store(), &run.run, at).await?;
    let state = serde_json::from_str(snapshot.state().get());
    let state = state.map_err(|error| {
        PageError::internal(format!("The state of the run is not JSON: {error}."))
    })?;
    let goal = snapshot.goal().to_owned();
    Ok(Position { run, at, state, goal })
}

pub(crate) async fn submit(
    visit: Visit,
    RunName(run): RunName,
    fields: Fields,
) -> Result<Response, PageError> {
    let position = position(&visit, &run, &fields).await?;
    let field = |name: &str| fields.get(name).unwrap_or_default().replace("\r\n", "\n");
    let mut entered = Entered {
        name: field("name"),
        state: field("state"),
        goal: field("goal"),
        ..Entered::default()
    };
    let (name, state) = (names::entered(&fields), json_text::parse(&entered.state));
    entered.state_issues.extend(state.as_ref().err().cloned());
    match (name, state) {
        (Ok(Some(name)), Ok(state)) => {
            match create(&visit, &position, &entered, (&name, state)).await? {
                Ok(response) => return Ok(response),
                Err(taken) => entered.name_issues.push(taken),
            }
        }
        (Ok(None), _) => entered.name_issues.push("The fork needs a name.".to_owned()),
        (Err(issue), _) => entered.name_issues.push(issue),
        (Ok(Some(_)), Err(_)) => {}
    }
    let page = page(&visit, &position, &entered).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// Creates the fork. The inner error is that its name is taken.
async fn create(
    visit: &Visit,
    position: &Position,
    entered: &Entered,
    (name, state): (&RunId, Value),
) -> Result<Result<Response, String>, PageError> {
    let mut fork = Fork::new(position.run.run.clone()).at(position.at);
    if state != position.state {
        fork = fork.change_state(move |old| *old = state);
    }
    if entered.goal != position.goal {
        fork = fork.goal(entered.goal.clone());
    }
    if let Err(error) = fork.create(visit.store(), name, visit.now()).await {
        return names::taken(error).map(Err);
    }
    let links = visit.links();
    let address = match visit.require_run(name).await?.status {
        Status::Asking { .. } => saying(links.answer(name), Done::ForkedAtQuestion),
        _ => saying(links.run(name), Done::Forked),
    };
    Ok(Ok(see_other(&address)))
}
