//! The models that a runner knows, by engine id.

use std::{collections::BTreeMap, sync::Arc};

use super::error::{MissingModel, MissingModels};
use crate::{
    LanguageModel,
    blueprint::{Definition, TaskKind},
};

/// The least Jaro-Winkler similarity at which a registered id is suggested for a missing one.
const SIMILAR: f64 = 0.8;

#[derive(Clone, Default)]
pub(super) struct Models {
    pub(super) default: Option<Arc<dyn LanguageModel>>,
    pub(super) engines: BTreeMap<String, Arc<dyn LanguageModel>>,
}

impl Models {
    /// The model of an engine id; without one, the default.
    pub(super) fn find(&self, engine: Option<&str>) -> Option<&Arc<dyn LanguageModel>> {
        match engine {
            Some(id) => self.engines.get(id),
            None => self.default.as_ref(),
        }
    }

    /// Whether there is a model for everything that a process names. All that is missing is told at
    /// once.
    pub(super) fn check(&self, definition: &Definition) -> Result<(), MissingModels> {
        let mut missing = self.missing(definition);
        if missing.is_empty() {
            return Ok(());
        }
        for model in &mut missing {
            model.suggestion = model.engine.and_then(|id| self.similar(id));
        }
        Err(MissingModels { missing, registered: self.engines.keys().cloned().collect() })
    }

    fn missing(&self, definition: &Definition) -> Vec<MissingModel> {
        let mut missing = Vec::new();
        if definition.engine.is_some() && self.find(definition.engine).is_none() {
            missing.push(MissingModel::new(definition.engine));
        }
        for task in definition.tasks {
            let TaskKind::Ai(ai) = &task.kind else {
                continue;
            };
            let engine = ai.engine.or(definition.engine);
            if self.find(engine).is_none() {
                entry(&mut missing, engine).tasks.push(task.about.name);
            }
        }
        missing
    }

    fn similar(&self, missing: &str) -> Option<String> {
        self.engines
            .keys()
            .map(|id| (strsim::jaro_winkler(id, missing), id))
            .filter(|(similarity, _)| *similarity >= SIMILAR)
            .max_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, id)| id.clone())
    }
}

/// The entry of an engine; made when there is none. Processes name few engines.
fn entry<'a>(
    missing: &'a mut Vec<MissingModel>,
    engine: Option<&'static str>,
) -> &'a mut MissingModel {
    let found = missing.iter().position(|model| model.engine == engine);
    let at = found.unwrap_or(missing.len());
    if found.is_none() {
        missing.push(MissingModel::new(engine));
    }
    &mut missing[at]
}
