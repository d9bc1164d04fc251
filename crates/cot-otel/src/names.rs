//! The names of attributes, span events and metrics.
//!
//! Those of the conventions for generative AI are as in their registry, which the folder `registry` of this crate
//! has with its version; a test compares them. Names that begin with `cot.` are of this library alone.

/// The version of the semantic conventions.
pub const VERSION: &str = "1.41.0";

/// The address of the schema of this version.
pub const SCHEMA_URL: &str = "https://opentelemetry.io/schemas/1.41.0";

/// Attributes of the conventions.
pub mod gen_ai {
    /// What a span or a measurement is about: `invoke_workflow`, `chat` or `execute_tool`.
    pub const OPERATION: &str = "gen_ai.operation.name";
    /// The provider of a model, `_OTHER` if the client does not tell it.
    pub const PROVIDER: &str = "gen_ai.provider.name";
    /// The name of a process.
    pub const WORKFLOW: &str = "gen_ai.workflow.name";
    /// The model that is asked.
    pub const REQUEST_MODEL: &str = "gen_ai.request.model";
    /// The sampling temperature.
    pub const TEMPERATURE: &str = "gen_ai.request.temperature";
    /// The share of the most probable tokens.
    pub const TOP_P: &str = "gen_ai.request.top_p";
    /// The maximum number of tokens of the reply.
    pub const MAX_TOKENS: &str = "gen_ai.request.max_tokens";
    /// The texts at which the reply ends.
    pub const STOP: &str = "gen_ai.request.stop_sequences";
    /// The seed of the sampling.
    pub const SEED: &str = "gen_ai.request.seed";
    /// Whether the reply was streamed.
    pub const STREAM: &str = "gen_ai.request.stream";
    /// The type of output that is asked for: `json` or `text`.
    pub const OUTPUT_TYPE: &str = "gen_ai.output.type";
    /// The model that replied, as the service reports it.
    pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
    /// The id of the reply.
    pub const RESPONSE_ID: &str = "gen_ai.response.id";
    /// Why the model stopped: `stop`, `length`, `content_filter` or `tool_call`.
    pub const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
    /// The seconds until the first chunk of a streamed reply.
    pub const TIME_TO_FIRST_CHUNK: &str = "gen_ai.response.time_to_first_chunk";
    /// The tokens of the prompt, including cached ones.
    pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    /// The tokens of the reply, including thoughts.
    pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    /// The input tokens that were read from the prompt cache.
    pub const CACHE_READ_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
    /// The input tokens that were written to the prompt cache.
    pub const CACHE_CREATION_TOKENS: &str = "gen_ai.usage.cache_creation.input_tokens";
    /// The output tokens that are thoughts.
    pub const REASONING_TOKENS: &str = "gen_ai.usage.reasoning.output_tokens";
    /// Whether tokens of a measurement are of the `input` or the `output`.
    pub const TOKEN_TYPE: &str = "gen_ai.token.type";
    /// The name of a tool.
    pub const TOOL_NAME: &str = "gen_ai.tool.name";
    /// The type of a tool, always `function`.
    pub const TOOL_TYPE: &str = "gen_ai.tool.type";
    /// The id of a tool call.
    pub const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
    /// The arguments of a tool call, if content is recorded.
    pub const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
    /// The result of a tool call, if content is recorded.
    pub const TOOL_RESULT: &str = "gen_ai.tool.call.result";
    /// The system message, if content is recorded.
    pub const SYSTEM_INSTRUCTIONS: &str = "gen_ai.system_instructions";
    /// The other messages of a request, if content is recorded.
    pub const INPUT_MESSAGES: &str = "gen_ai.input.messages";
    /// The reply, if content is recorded.
    pub const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
    /// The class of an error. The words are listed in the guide on traces.
    pub const ERROR_TYPE: &str = "error.type";
    /// The host of the service.
    pub const SERVER_ADDRESS: &str = "server.address";
    /// The port of the service.
    pub const SERVER_PORT: &str = "server.port";
}

/// Attributes of this library.
pub mod cot {
    /// The name of the run.
    pub const RUN: &str = "cot.run.id";
    /// Whether the run had begun before, in this program or another.
    pub const RESUMED: &str = "cot.run.resumed";
    /// Whether the driver of the run was dropped before the run ended: it waits, was stopped, or continues elsewhere.
    pub const SUSPENDED: &str = "cot.run.suspended";
    /// How the run ended: `end`, `fail`, `ran_out` or `halted`.
    pub const ENDING: &str = "cot.run.ending";
    /// The number of model calls of the run.
    pub const CALLS: &str = "cot.usage.calls";
    /// The input tokens of the run.
    pub const INPUT_TOKENS: &str = "cot.usage.input_tokens";
    /// The output tokens of the run.
    pub const OUTPUT_TOKENS: &str = "cot.usage.output_tokens";
    /// The cost of a call or of the run, if prices are known.
    pub const COST: &str = "cot.usage.cost";
    /// The name of the process.
    pub const PROCESS: &str = "cot.process";
    /// The name of the task.
    pub const TASK: &str = "cot.task";
    /// The kind of the task, such as `ai` or `for_each`.
    pub const KIND: &str = "cot.task.kind";
    /// Whether the call or the task was dropped before its end: the run was cancelled or stopped, or another branch or
    /// item has decided the result.
    pub const DROPPED: &str = "cot.dropped";
    /// The number of the step, from 1; of a run, the number of its steps.
    pub const STEP: &str = "cot.step";
    /// The key of the call.
    pub const KEY: &str = "cot.call.key";
    /// The id of the engine that the task or the process names.
    pub const ENGINE: &str = "cot.engine";
    /// The number of the item of a for-each task, from 0.
    pub const ITEM: &str = "cot.item";
    /// The number of the attempt, from 1.
    pub const ATTEMPT: &str = "cot.attempt";
    /// How much a reasoning model is asked to think.
    pub const EFFORT: &str = "cot.request.effort";
    /// How an attempt failed.
    pub const FAILURE: &str = "cot.failure";
    /// The number of issues of a rejected answer.
    pub const ISSUES: &str = "cot.issues";
    /// Whether the task tries again.
    pub const WILL_RETRY: &str = "cot.will_retry";
    /// The number of repairs of a reply.
    pub const REPAIRS: &str = "cot.repairs";
    /// The number of a tool call within the visit of its task, from 1.
    pub const TOOL_CALL: &str = "cot.tool.call";
    /// Why the run goes to the next task.
    pub const ROUTE: &str = "cot.route";
    /// The next task.
    pub const NEXT: &str = "cot.next_task";
    /// The first task of a branch.
    pub const BRANCH: &str = "cot.branch";
    /// How a branch ended.
    pub const BRANCH_OUTCOME: &str = "cot.branch.outcome";
    /// The seconds of a wait.
    pub const WAIT: &str = "cot.wait";
    /// The status of stored runs that a measurement counts.
    pub const STATUS: &str = "cot.run.status";
}

/// Span events.
pub mod event {
    /// An attempt failed.
    pub const ATTEMPT_FAILED: &str = "cot.attempt_failed";
    /// A reply was read after repairs.
    pub const REPAIRED: &str = "cot.repaired";
    /// A model holds a call back, since its limit of requests or tokens is reached.
    pub const RATE_LIMITED: &str = "cot.rate_limited";
    /// An item of a for-each task has no output.
    pub const ITEM_FAILED: &str = "cot.item_failed";
    /// A branch of a parallel task ended.
    pub const BRANCH_ENDED: &str = "cot.branch_ended";
    /// The run waits for a person.
    pub const ASKED: &str = "cot.asked";
    /// The run waits for a timer.
    pub const WAITING: &str = "cot.waiting";
    /// An output was committed to the state.
    pub const COMMITTED: &str = "cot.committed";
    /// The model chose a transition.
    pub const TRANSITIONED: &str = "cot.transitioned";
    /// A tool call was answered with an error.
    pub const TOOL_FAILED: &str = "cot.tool_failed";
    /// The state was changed from outside.
    pub const STATE_UPDATED: &str = "cot.state_updated";
    /// The run is paused.
    pub const PAUSED: &str = "cot.paused";
}

/// Metrics.
pub mod metric {
    /// The tokens of a call, by their type.
    pub const TOKENS: &str = "gen_ai.client.token.usage";
    /// The seconds of a model call.
    pub const DURATION: &str = "gen_ai.client.operation.duration";
    /// The seconds until the first chunk of a streamed reply.
    pub const FIRST_CHUNK: &str = "gen_ai.client.operation.time_to_first_chunk";
    /// The cost of calls.
    pub const COST: &str = "cot.cost";
    /// The seconds of a tool call.
    pub const TOOL_DURATION: &str = "cot.tool.duration";
    /// The seconds of a run from its start in this program until it ends or is suspended.
    pub const RUN_DURATION: &str = "cot.run.duration";
    /// The runs that this program drives.
    pub const ACTIVE_RUNS: &str = "cot.run.active";
    /// The attempts that failed and are retried.
    pub const RETRIES: &str = "cot.retries";
    /// The repairs of replies.
    pub const REPAIRS: &str = "cot.repairs";
    /// The open questions of the runs that this program drives.
    pub const WAITING_PEOPLE: &str = "cot.people.waiting";
    /// The runs in a store, by their status.
    pub const STORED_RUNS: &str = "cot.store.runs";
}
