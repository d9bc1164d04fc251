//! The functions of `read` of a typed host.

use std::sync::Arc;

use cot_model::{ModelReply, ReplySchema};
use cot_schema::Issues;

use crate::{
    machine::{host::TypedHost, lookup::task_code},
    process::{
        call_place::CallRole,
        process::Process,
        reading::{code::ReplyCode, host::ReplyHost},
        scope::ScopeData,
        tables::TaskIndex,
    },
    reply::end::ReplyEnd,
    values::panicked::PanicPlace,
};

fn reply_code<P: Process>(task: TaskIndex) -> Option<&'static ReplyCode<P>> {
    task_code::<P>(task)?.conversation.reply.as_ref()
}

impl<P: Process> ReplyHost for TypedHost<P> {
    fn read_reply(
        &mut self,
        task: TaskIndex,
        reply: &ModelReply,
        view: &ScopeData<'_>,
    ) -> Result<(), Issues> {
        if let Some(code) = reply_code::<P>(task) {
            let read = || (code.read)(reply, &self.cx(view));
            self.pending = Some(self.running_code.run(PanicPlace::Read, read)?);
        }
        Ok(())
    }

    fn check_read(&mut self, task: TaskIndex, view: &ScopeData<'_>) -> Result<(), Issues> {
        let check = reply_code::<P>(task).and_then(|code| code.check);
        let Some(check) = check else { return Ok(()) };
        if let Some(output) = self.pending.take() {
            let check = || check(output, &self.cx(view));
            self.pending = Some(self.running_code.run(PanicPlace::Check, check)?);
        }
        Ok(())
    }

    fn reply_end(&self, task: TaskIndex, view: &ScopeData<'_>) -> Option<ReplyEnd> {
        let until = reply_code::<P>(task)?.until?;
        let owned = self.owned_cx(view, CallRole::Task);
        Some(ReplyEnd::new(move |chunks| until(Arc::clone(&owned), chunks)))
    }

    fn reply_schema(&self, task: TaskIndex, view: &ScopeData<'_>) -> Option<Arc<ReplySchema>> {
        let schema = reply_code::<P>(task)?.schema?;
        self.running_code.run(PanicPlace::Read, || schema(&self.cx(view)))
    }
}
