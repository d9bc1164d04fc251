//! The check of the images and documents of prompts against models.

use cot_engine::{
    MockMode,
    internal::{ProcessOutline, TaskDefinition},
};
use cot_model::AcceptedMedia;

use crate::{
    preflight::{
        checked_tasks::CheckedTasks,
        unaccepted_media::{UnacceptedMediaError, UnacceptedMedium},
    },
    runner::models::{Models, engines_of},
};

impl Models {
    /// Checks that each engine accepts the images and documents that prompts of a process and its sub-processes
    /// can show; for a task that runs alone, only those of this task.
    pub(crate) fn check_media(
        &self,
        process: &'static dyn ProcessOutline,
        alone: Option<&'static TaskDefinition>,
        mock_mode: Option<&MockMode>,
    ) -> Result<(), UnacceptedMediaError> {
        if self.all().all(|model| model.accepted_media() == AcceptedMedia::ALL) {
            return Ok(());
        }
        let mut unaccepted = Vec::new();
        CheckedTasks::new(process, alone, mock_mode).for_each(|process, _, task| {
            self.find_unaccepted(process, task, &mut unaccepted);
        });
        if unaccepted.is_empty() { Ok(()) } else { Err(UnacceptedMediaError { unaccepted }) }
    }

    fn find_unaccepted(
        &self,
        process: &'static dyn ProcessOutline,
        task: &'static TaskDefinition,
        unaccepted: &mut Vec<UnacceptedMedium>,
    ) {
        let definition = process.definition();
        let Some(ai) = task.kind.ai() else { return };
        for engine in engines_of(definition, ai) {
            let Some(model) = self.find(engine) else { continue };
            let accepted = model.accepted_media();
            for medium in ai.media.kinds().filter(|kind| !accepted.accepts_kind(*kind)) {
                let (process, task) = (definition.about.name, task.about.name);
                let found = UnacceptedMedium { process, task, engine, medium };
                // A process that runs in two mock modes is visited twice.
                if !unaccepted.contains(&found) {
                    unaccepted.push(found);
                }
            }
        }
    }
}
