//! Rules for tool definitions.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use cot_reader::internal::AnySchema;
use serde_json::Value as Json;

use crate::{
    block::{Block, BlockKind},
    diagnostic::{Code, Findings, quote_excerpt},
    report::Report,
    tool::schema::parameters,
    value::Expr,
};

/// The tools that a trace defines.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    /// The names, in the order of the trace.
    pub(super) names: Vec<String>,
    /// The schemas of the arguments by tool name; `None` for a tool without a valid one.
    pub(super) parameters: HashMap<String, Option<Arc<Parameters>>>,
}

/// The schema of a tool's arguments, with its validator.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) json: Json,
    compiled: OnceLock<Option<AnySchema>>,
}

impl Parameters {
    fn new(json: Json) -> Self {
        Self { json, compiled: OnceLock::new() }
    }

    /// Returns the schema with its validator, compiled on first use; `None` if it is not a valid
    /// schema.
    pub(super) fn compiled(&self) -> Option<&AnySchema> {
        self.compiled.get_or_init(|| AnySchema::new(self.json.clone()).ok()).as_ref()
    }
}

pub(super) fn check(blocks: &[Block], report: &mut Report, findings: &mut Findings) -> Tools {
    let mut tools = Tools::default();
    for block in blocks.iter().filter(|block| block.kind == BlockKind::Tool) {
        let Some(object) = block.content.as_object() else { continue };
        let parameters = parameters(object).unwrap_or_else(|(problem, position)| {
            findings.add(Code::BadParameter, position, problem);
            None
        });
        let parameters = parameters.map(|schema| Arc::new(Parameters::new(schema)));
        let Some(name) = object.get("name").and_then(Expr::as_text).filter(|name| !name.is_empty())
        else {
            findings.add(Code::BadToolName, block.position, "the tool has no name");
            continue;
        };
        check_name(name, object.get("name"), findings);
        if tools.parameters.insert(name.to_owned(), parameters).is_some() {
            let message = format!("the tool {} is defined already", quote_excerpt(name));
            findings.add(Code::DuplicateTool, block.position, message);
        } else {
            tools.names.push(name.to_owned());
        }
    }
    report.tools.clone_from(&tools.names);
    tools
}

/// Reports a tool name with spaces.
fn check_name(name: &str, expr: Option<&Expr>, findings: &mut Findings) {
    if let Some(expr) = expr.filter(|_| name.contains(char::is_whitespace)) {
        let message =
            format!("the name {} has spaces; write `get_weather`, say", quote_excerpt(name));
        findings.add(Code::BadToolName, expr.position, message);
    }
}
