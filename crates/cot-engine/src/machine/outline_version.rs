//! The version of a process in this program, to which stored runs are compared.

use cot_schema::OutputSchema;

use crate::{
    process::outline::ProcessOutline,
    snapshot::{
        compatibility::{PresentProcess, PresentTask},
        fingerprint::Fingerprint,
    },
};

/// The version of a process in this program.
pub(super) struct OutlineVersion(pub(super) &'static dyn ProcessOutline);

impl PresentProcess for OutlineVersion {
    fn name(&self) -> &str {
        self.0.definition().about.name
    }

    fn fingerprint(&self) -> &Fingerprint {
        self.0.fingerprint()
    }

    fn task(&self, name: &str) -> Option<PresentTask<'_>> {
        let definition = self.0.definition();
        let index = definition.tasks.iter().position(|task| task.about.name == name)?;
        let (task, outline) = (definition.task(index), self.0.task(index)?);
        Some(PresentTask {
            kind: task.kind.info().manifest_name,
            takes_inputs: task.takes_inputs,
            inputs_schema: outline.inputs.map(OutputSchema::json),
            branches: task
                .kind
                .parallel()
                .map_or(&[][..], |it| it.branches)
                .iter()
                .map(|task| definition.task(*task).about.name)
                .collect(),
            process: outline
                .process
                .map(|process| -> Box<dyn PresentProcess> { Box::new(Self(process)) }),
        })
    }
}
