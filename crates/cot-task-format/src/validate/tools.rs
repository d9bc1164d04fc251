//! Definitions of tools.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use cot_reader::internal::AnySchema;
use serde_json::Value as Json;

use crate::{
    block::{Block, BlockKind},
    diagnostic::{Code, Findings, shown},
    report::Report,
    tool::schema::parameters,
    value::Expr,
};

/// The tools that are defined.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    /// Their names, in the order of the trace.
    pub(super) names: Vec<String>,
    /// What is known of their arguments, by name.
    pub(super) parameters: HashMap<String, Option<Arc<Parameters>>>,
}

/// The schema of a tool's arguments.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) json: Json,
    compiled: OnceLock<Option<AnySchema>>,
}

impl Parameters {
    fn new(json: Json) -> Self {
        Self { json, compiled: OnceLock::new() }
    }

    /// The schema with its validator, compiled once; `None` for what is no valid schema.
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
            let message = format!("the tool {} is defined already", shown(name));
            findings.add(Code::DuplicateTool, block.position, message);
        } else {
            tools.names.push(name.to_owned());
        }
    }
    report.tools.clone_from(&tools.names);
    tools
}

/// A tool's name has no spaces.
fn check_name(name: &str, expr: Option<&Expr>, findings: &mut Findings) {
    if let Some(expr) = expr.filter(|_| name.contains(char::is_whitespace)) {
        let message = format!("the name {} has spaces; write `get_weather`, say", shown(name));
        findings.add(Code::BadToolName, expr.position, message);
    }
}
