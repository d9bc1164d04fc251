//! Lists the tools of a server, page by page.

use std::collections::BTreeSet;

use rmcp::{
    model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool},
    service::{Peer, RoleClient, ServiceError},
};
use serde_json::{Map, Value};

use super::target::chain;

/// A tool as a server lists it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: Map<String, Value>,
}

/// Maximum numbers of pages and of tools.
const MAX_PAGES: usize = 1000;
const MAX_TOOLS: usize = 10_000;

/// Lists all tools of a server.
pub(crate) async fn list(peer: &Peer<RoleClient>) -> Result<Vec<Listed>, String> {
    let (mut tools, mut cursors) = (Vec::new(), BTreeSet::new());
    let mut cursor: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let (page, next) = page(peer, cursor).await?;
        tools.extend(page.into_iter().map(Listed::from));
        if tools.len() > MAX_TOOLS {
            return Err(format!("it has more than {MAX_TOOLS} tools"));
        }
        let Some(next) = next else {
            return check_names(tools);
        };
        if !cursors.insert(next.clone()) {
            return Err("it repeats a page for ever".to_owned());
        }
        cursor = Some(next);
    }
    Err(format!("it has more than {MAX_PAGES} pages"))
}

async fn page(
    peer: &Peer<RoleClient>,
    cursor: Option<String>,
) -> Result<(Vec<Tool>, Option<String>), String> {
    let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
    let request = ListToolsRequest { params, ..ListToolsRequest::default() };
    match peer.send_request(ClientRequest::ListToolsRequest(request)).await {
        Ok(ServerResult::ListToolsResult(page)) => Ok((page.tools, page.next_cursor)),
        Ok(ServerResult::CustomResult(other)) => Err(malformed(&other.0)),
        Ok(_) => Err("the answer is no list of tools".to_owned()),
        Err(ServiceError::McpError(error)) => {
            Err(format!("the server answered: {}", error.message))
        }
        Err(ServiceError::TransportClosed) => Err("the server closed the connection".to_owned()),
        Err(ServiceError::TransportSend(error)) => Err(chain(error.error.as_ref())),
        Err(error) => Err(chain(&error)),
    }
}

/// Says what is wrong with an answer that is no list of tools.
fn malformed(answer: &Value) -> String {
    let Some(tools) = answer.get("tools").and_then(Value::as_array) else {
        return "the answer has no list `tools`".to_owned();
    };
    for (number, tool) in tools.iter().enumerate() {
        let Some(name) = tool.get("name").and_then(Value::as_str) else {
            return format!("`$.tools[{number}].name` is no text");
        };
        if !tool.get("inputSchema").is_some_and(Value::is_object) {
            return format!("`$.tools[{number}].inputSchema`, of the tool `{name}`, is no object");
        }
        if let Err(error) = serde_json::from_value::<Tool>(tool.clone()) {
            return format!("`$.tools[{number}]`, the tool `{name}`: {error}");
        }
    }
    "the answer is malformed".to_owned()
}

fn check_names(tools: Vec<Listed>) -> Result<Vec<Listed>, String> {
    let mut names = BTreeSet::new();
    match tools.iter().find(|tool| !names.insert(tool.name.as_str())) {
        Some(twice) => Err(format!("it has two tools with the name `{}`", twice.name)),
        None => Ok(tools),
    }
}

impl From<Tool> for Listed {
    fn from(tool: Tool) -> Self {
        let title = tool.annotations.and_then(|annotations| annotations.title).or(tool.title);
        let description = tool.description.map(String::from).or(title);
        Self {
            name: tool.name.into_owned(),
            description: description.unwrap_or_default(),
            schema: tool.input_schema.as_ref().clone(),
        }
    }
}
