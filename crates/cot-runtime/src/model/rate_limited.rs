//! A wrapper that limits the requests and tokens of a model by the minute.

use std::{
    fmt,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cot_model::{BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest};
use tokio::sync::Mutex;

use crate::{
    clock::{self, MinuteBucket},
    model::hold,
};

/// The limits of a model by the minute, as vendors state them.
///
/// Each limit is a bucket that holds a minute's worth and fills up evenly: after a pause a whole minute's worth
/// is available at once.
///
/// ```
/// use cot_core::model::{ModelExt, RateLimit, ScriptedModel};
///
/// let limit = RateLimit::per_minute().requests(500).tokens(200_000);
/// let model = ScriptedModel::new(["yes"]).rate_limited(limit);
/// # let _ = model;
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[must_use]
pub struct RateLimit {
    requests: Option<NonZeroU32>,
    tokens: Option<NonZeroU32>,
}

impl RateLimit {
    /// No limits.
    pub const fn per_minute() -> Self {
        Self { requests: None, tokens: None }
    }

    /// Limits the requests in a minute. 0 counts as 1.
    pub const fn requests(mut self, requests: u32) -> Self {
        self.requests = Some(at_least_one(requests));
        self
    }

    /// Limits the tokens of prompts and replies in a minute. 0 counts as 1.
    ///
    /// Before a call, its tokens are estimated as a quarter of the bytes of the prompt. After it, the
    /// difference to the reported usage counts against the next call. A request that is larger than the limit
    /// waits for a full minute's worth.
    pub const fn tokens(mut self, tokens: u32) -> Self {
        self.tokens = Some(at_least_one(tokens));
        self
    }
}

const fn at_least_one(count: u32) -> NonZeroU32 {
    match NonZeroU32::new(count) {
        Some(count) => count,
        None => NonZeroU32::MIN,
    }
}

/// A model with a limit of requests and tokens by the minute; further calls wait in order. Made by
/// [`ModelExt::rate_limited`](crate::ModelExt::rate_limited). Clones share the limit.
#[derive(Clone)]
pub struct RateLimitedModel<M> {
    model: M,
    limit: RateLimit,
    limits: Arc<Limits>,
}

struct Limits {
    requests: Option<MinuteBucket>,
    tokens: Option<MinuteBucket>,
    /// The tokens that earlier calls used beyond their estimates.
    debt: AtomicU32,
    /// Held by the call that is next, so that calls wait in order.
    turn: Mutex<()>,
}

/// Takes `count` out of a bucket, waiting until it holds that many. A larger count than the bucket holds counts as
/// all of it.
async fn take(bucket: &MinuteBucket, count: u32) {
    while let Err(wait) = bucket.take(count.min(bucket.size())) {
        hold::report(wait);
        // Timers are no finer than a millisecond.
        clock::wait(wait.max(Duration::from_millis(1))).await;
    }
}

impl Limits {
    /// Waits until the limits admit a request.
    async fn admit(&self, request: &ModelRequest) {
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(_) => {
                // How long the calls before it take is not known.
                hold::report(Duration::ZERO);
                self.turn.lock().await
            }
        };
        if let Some(requests) = &self.requests {
            take(requests, 1).await;
        }
        if let Some(tokens) = &self.tokens {
            self.repay(tokens).await;
            take(tokens, estimate(request)).await;
        }
    }

    /// Waits for what earlier calls used beyond their estimates. What was not waited for remains a debt.
    async fn repay(&self, tokens: &MinuteBucket) {
        loop {
            let part = self.debt.load(Ordering::Relaxed).min(tokens.size());
            if part == 0 {
                return;
            }
            take(tokens, part).await;
            // Only the call whose turn it is subtracts, so that the debt is not below the part.
            self.debt.fetch_sub(part, Ordering::Relaxed);
        }
    }

    /// Counts what a reply used beyond the estimate.
    fn settle(&self, request: &ModelRequest, reply: &ModelReply) {
        let used = u32::try_from(reply.usage.total_tokens()).unwrap_or(u32::MAX);
        let beyond = used.saturating_sub(estimate(request));
        let add = |debt: u32| Some(debt.saturating_add(beyond));
        // The function always returns a value, so that the update never fails.
        let _ = self.debt.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }
}

/// Average number of bytes per token in English text and JSON.
const BYTES_PER_TOKEN: usize = 4;

fn estimate(request: &ModelRequest) -> u32 {
    let turns = request.turns.iter().chain(&request.follow_ups);
    let turns: usize = turns.map(|turn| turn.text.len()).sum();
    let prompt = request.system().map_or(0, str::len) + request.prompt().len();
    let bytes = prompt + turns + tool_bytes(request);
    u32::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(u32::MAX)
}

/// Returns the bytes of the tools and the rounds of a request.
fn tool_bytes(request: &ModelRequest) -> usize {
    let tools = request.tools.iter().map(|tool| {
        tool.name().len() + tool.description.len() + tool.schema.json.to_string().len()
    });
    let rounds = request.rounds.iter().map(|round| {
        let calls = round
            .calls
            .iter()
            .map(|(call, result)| call.name.len() + call.arguments.len() + result.text.len());
        round.text.len() + calls.sum::<usize>()
    });
    tools.sum::<usize>() + rounds.sum::<usize>()
}

impl<M> RateLimitedModel<M> {
    pub(super) fn new(model: M, limit: RateLimit) -> Self {
        let limits = Limits {
            requests: limit.requests.map(MinuteBucket::new),
            tokens: limit.tokens.map(MinuteBucket::new),
            debt: AtomicU32::new(0),
            turn: Mutex::new(()),
        };
        Self { model, limit, limits: Arc::new(limits) }
    }

    async fn call(
        &self,
        request: &ModelRequest,
        call: impl Future<Output = Result<ModelReply, ModelError>>,
    ) -> Result<ModelReply, ModelError> {
        self.limits.admit(request).await;
        let reply = call.await?;
        self.limits.settle(request, &reply);
        Ok(reply)
    }
}

impl<M: LanguageModel> LanguageModel for RateLimitedModel<M> {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(self.call(request, async move { self.model.reply(request).await }))
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(self.call(request, async move { self.model.stream(request, sink).await }))
    }

    fn inner(&self) -> Option<&dyn LanguageModel> {
        Some(&self.model)
    }
}

impl<M: fmt::Debug> fmt::Debug for RateLimitedModel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitedModel")
            .field("model", &self.model)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests measure a paused clock")]
mod tests {
    use cot_model::{
        ModelReply, ReplySchema, ScriptedModel, Tool, ToolCall, ToolResult, ToolRound, Turn, Usage,
    };
    use futures_util::future::join_all;
    use serde_json::json;
    use tokio::time::Instant;

    use super::*;
    use crate::model::ext::ModelExt;

    fn model(limit: RateLimit, usage: Usage) -> RateLimitedModel<Arc<ScriptedModel>> {
        let model = ScriptedModel::from_fn(move |_| ModelReply::new("yes").usage(usage));
        Arc::new(model).rate_limited(limit)
    }

    /// Returns the seconds after which each of several calls at once is answered.
    async fn answered(model: &RateLimitedModel<Arc<ScriptedModel>>, calls: usize) -> Vec<u64> {
        let started = Instant::now();
        let request = ModelRequest::new("x".repeat(400));
        let calls = (0..calls).map(|_| async {
            model.reply(&request).await.unwrap();
            started.elapsed().as_secs()
        });
        join_all(calls).await
    }

    #[tokio::test(start_paused = true)]
    async fn requests_beyond_the_limit_wait_in_order() {
        let model = model(RateLimit::per_minute().requests(6), Usage::for_call(0, 0));
        assert_eq!(answered(&model, 9).await, [0, 0, 0, 0, 0, 0, 10, 20, 30]);
        // A clone shares the limit.
        assert_eq!(answered(&model.clone(), 1).await, [10]);
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_count_as_estimated_and_then_as_used() {
        // 100 tokens of prompt, 300 in all: 400 of 600 for two calls, and 400 of debt.
        let model = model(RateLimit::per_minute().tokens(600), Usage::for_call(100, 200));
        assert_eq!(answered(&model, 1).await, [0]);
        assert_eq!(answered(&model, 1).await, [0]);
        assert_eq!(answered(&model, 1).await, [10]);
        // More than a minute's worth waits for a full bucket, after 20 seconds for the debt.
        let request = ModelRequest::new("x".repeat(1_000_000));
        let started = Instant::now();
        model.reply(&request).await.unwrap();
        assert_eq!(started.elapsed().as_secs(), 80);
    }

    #[tokio::test(start_paused = true)]
    async fn tools_and_rounds_count_as_parts_of_the_prompt() {
        let schema = ReplySchema { name: "t".repeat(100), json: json!("s".repeat(98)) };
        let tool = Tool::new("d".repeat(100), Arc::new(schema));
        let call = ToolCall::new("n".repeat(100), "a".repeat(100));
        let round = ToolRound::new("x".repeat(100), vec![(call, ToolResult::ok("r".repeat(100)))]);
        let mut request = ModelRequest::new("x".repeat(100)).with_tools([tool]);
        request = request.with_rounds([round]);
        request.follow_ups = vec![Turn::user("x".repeat(100))];
        assert_eq!(estimate(&request), 9 * 100 / 4);
        // 225 tokens of 225 a minute.
        let model = model(RateLimit::per_minute().tokens(225), Usage::for_call(0, 0));
        let started = Instant::now();
        for _ in 0..2 {
            model.reply(&request).await.unwrap();
        }
        assert_eq!(started.elapsed().as_secs(), 60);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_call_leaves_the_debt_to_the_next_one() {
        // The first call uses three minutes' worth beyond its estimate.
        let model = model(RateLimit::per_minute().tokens(600), Usage::for_call(100, 1800));
        assert_eq!(answered(&model, 1).await, [0]);
        let request = ModelRequest::new("");
        let dropped = tokio::time::timeout(Duration::from_secs(30), model.reply(&request)).await;
        assert!(dropped.is_err());
        // 1,800 tokens of debt and 100 of the call, of which 500 were left at the start.
        assert_eq!(answered(&model, 1).await, [110]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_call_lets_the_next_one_pass() {
        let model = model(RateLimit::per_minute().requests(1), Usage::for_call(0, 0));
        let request = ModelRequest::new("");
        model.reply(&request).await.unwrap();
        let dropped = tokio::time::timeout(Duration::from_secs(5), model.reply(&request)).await;
        assert!(dropped.is_err());
        assert_eq!(answered(&model, 1).await, [55]);
    }

    #[tokio::test(start_paused = true)]
    async fn any_number_is_a_limit_and_none_is_no_limit() {
        let limits = RateLimit::per_minute().requests(0).tokens(0);
        let first = model(limits, Usage::for_call(0, 0));
        assert_eq!(answered(&first, 2).await, [0, 60]);
        let largest = RateLimit::per_minute().requests(u32::MAX).tokens(u32::MAX);
        let odd = Usage::for_call(u64::MAX, u64::MAX);
        assert_eq!(answered(&model(largest, odd), 1).await, [0]);
        assert_eq!(answered(&model(RateLimit::per_minute(), odd), 3).await, [0, 0, 0]);
        let debug = format!("{first:?}");
        assert!(debug.contains("requests: Some(1), tokens: Some(1)"), "{debug}");
    }
}
