//! The tools of a typed host.

use std::sync::Arc;

use cot_model::{BoxFuture, FunctionError};
use cot_schema::{Issues, OutputSchema};
use futures_util::FutureExt;
use serde_json::Value;

use crate::{
    machine::{host::TypedHost, lookup::task_code},
    private::tool::call_source,
    process::{
        process::Process,
        scope::ScopeData,
        tables::TaskIndex,
        tool::{
            bounds::bound_result,
            code::{ToolFunctionCode, ToolGuard, ToolWork},
            definition::ToolIndex,
            host::ToolHost,
            source::SourceTool,
        },
    },
    protocol::directive::FunctionStart,
    values::panicked::PanicPlace,
};

type ToolResult = BoxFuture<'static, Result<Value, FunctionError>>;

impl<P: Process> ToolHost for TypedHost<P> {
    fn is_tool_visible(
        &self,
        task: TaskIndex,
        tool_use: usize,
        tool: ToolIndex,
        view: &ScopeData<'_>,
    ) -> bool {
        let own = P::CODE.tools.get(tool).and_then(|code| code.guard);
        let uses = task_code::<P>(task).map_or(&[][..], |code| code.conversation.tool_guards);
        let is_open = |guard: Option<ToolGuard<P>>| match guard {
            Some(guard) => self.running_code.run(PanicPlace::Guard, || guard(&self.scope(view))),
            None => true,
        };
        is_open(own) && is_open(uses.get(tool_use).copied().flatten())
    }

    fn tool_schema(&self, tool: ToolIndex) -> Option<&'static OutputSchema> {
        P::CODE.tool_schema(tool)
    }

    fn source_tools(&self, tool: ToolIndex) -> &[SourceTool] {
        match P::CODE.tools.get(tool).map(|code| &code.work) {
            Some(ToolWork::Source(source)) => self
                .running_code
                .run(PanicPlace::ToolSource, || source(self.environment.context()).tools()),
            _ => &[],
        }
    }

    fn check_arguments(
        &self,
        tool: ToolIndex,
        arguments: &Value,
        view: &ScopeData<'_>,
    ) -> Result<(), Issues> {
        let Some(code) = function_code::<P>(tool) else { return Ok(()) };
        self.running_code.run(PanicPlace::Check, || (code.check)(arguments, &self.scope(view)))
    }

    fn tool_call(
        &self,
        tool: ToolIndex,
        name: &str,
        arguments: Value,
        view: &ScopeData<'_>,
    ) -> Option<FunctionStart> {
        match P::CODE.tools.get(tool)?.work {
            ToolWork::Function(ToolFunctionCode { start, .. }) => {
                let owned = self.owned_cx(view, view.call.role);
                Some(Arc::new(move || bound(start(arguments.clone(), Arc::clone(&owned)))))
            }
            ToolWork::Source(source) => {
                let context = Arc::clone(self.environment.context());
                let (name, key) = (name.to_owned(), self.cx(view).call_key());
                Some(Arc::new(move || {
                    let (context, name) = (Arc::clone(&context), name.clone());
                    let (arguments, key) = (arguments.clone(), key.clone());
                    bound(call_source(context, source, (name, arguments, key)))
                }))
            }
        }
    }

    fn tool_mock(
        &self,
        tool: ToolIndex,
        arguments: &Value,
        view: &ScopeData<'_>,
    ) -> Option<serde_json::Result<Value>> {
        let mock = function_code::<P>(tool)?.mock?;
        Some(self.running_code.run(PanicPlace::Mock, || mock(arguments, &self.cx(view))))
    }
}

/// Bounds the result of a tool.
fn bound(result: ToolResult) -> ToolResult {
    Box::pin(result.map(|result| result.and_then(bound_result)))
}

fn function_code<P: Process>(tool: ToolIndex) -> Option<&'static ToolFunctionCode<P>> {
    match &P::CODE.tools.get(tool)?.work {
        ToolWork::Function(code) => Some(code),
        ToolWork::Source(_) => None,
    }
}
