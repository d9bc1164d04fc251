//! A model server that counts: it answers each step with its number, and remembers who asked for what.

use std::{future::pending, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{Path, State},
    routing::post,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch};

/// A step of a run.
pub(crate) type Step = (u32, u32);

/// A call, and in which life of the program it was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) life: usize,
    pub(crate) step: Step,
}

/// The server, and what it was asked.
pub(crate) struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    asked: watch::Sender<Vec<Call>>,
    /// How many calls have been answered.
    answered: watch::Sender<usize>,
    /// Which calls may be answered. The others wait.
    allowed: watch::Sender<Allowed>,
}

#[derive(Debug, Clone, Copy)]
struct Allowed {
    /// So many in all.
    answers: usize,
    /// Of this life and those after it.
    first_life: usize,
}

impl ModelServer {
    pub(crate) async fn start() -> Self {
        let allowed = Allowed { answers: usize::MAX, first_life: 0 };
        let shared = Arc::new(Shared {
            asked: watch::Sender::default(),
            answered: watch::Sender::default(),
            allowed: watch::Sender::new(allowed),
        });
        let router = Router::new()
            .route("/{life}/v1/chat/completions", post(answer))
            .with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { address, shared }
    }

    /// Where a life of the program asks. Each has a place of its own, since a call may come in when the
    /// program that made it is dead.
    pub(crate) fn url(&self, life: usize) -> String {
        format!("http://{}/{life}/v1", self.address)
    }

    /// What was asked, in its order.
    pub(crate) fn asked(&self) -> Vec<Call> {
        self.shared.asked.borrow().clone()
    }

    /// Waits until a life has asked for so much.
    pub(crate) async fn has_asked(&self, life: usize, count: usize) {
        let of_life = |calls: &[Call]| calls.iter().filter(|call| call.life == life).count();
        let mut asked = self.shared.asked.subscribe();
        asked.wait_for(|calls| of_life(calls) >= count).await.unwrap();
    }

    /// How many calls have been answered so far.
    pub(crate) fn answered(&self) -> usize {
        *self.shared.answered.borrow()
    }

    /// Lets calls wait once so many have been answered in all, so that no program comes to its end before
    /// the test has done what it wants to do to it.
    pub(crate) fn hold_after(&self, count: usize) {
        self.shared.allowed.send_modify(|allowed| allowed.answers = count);
    }

    /// Answers no more calls of the lives before this one, though they may still be held.
    pub(crate) fn answer_from(&self, life: usize) {
        self.shared.allowed.send_modify(|allowed| allowed.first_life = life);
    }

    /// Answers all calls from now on.
    pub(crate) fn release(&self) {
        self.hold_after(usize::MAX);
    }

    /// Waits until so many calls have been answered in all.
    pub(crate) async fn has_answered(&self, count: usize) {
        let mut answered = self.shared.answered.subscribe();
        answered.wait_for(|so_far| *so_far >= count).await.unwrap();
    }
}

impl Shared {
    /// Waits until one more call of a life may be answered, and counts it.
    async fn may_answer(&self, life: usize) {
        let mut allowed = self.allowed.subscribe();
        loop {
            let Allowed { answers, first_life } = *allowed.borrow_and_update();
            if life < first_life {
                return pending().await;
            }
            let counted = self.answered.send_if_modified(|answered| {
                let free = *answered < answers;
                *answered += usize::from(free);
                free
            });
            if counted || allowed.changed().await.is_err() {
                return;
            }
        }
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    Path(life): Path<usize>,
    Json(request): Json<Value>,
) -> Json<Value> {
    let (run, step) = step_of(&request);
    shared.asked.send_modify(|asked| asked.push(Call { life, step: (run, step) }));
    // Calls overtake each other, as those of real models do.
    let pause = u64::from((run * 7 + step * 13) % 5);
    tokio::time::sleep(Duration::from_millis(pause)).await;
    shared.may_answer(life).await;
    let message = json!({ "role": "assistant", "content": json!({ "number": step }).to_string() });
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 });
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    Json(json!({ "id": "c", "choices": [choice], "usage": usage }))
}

/// The step that a prompt is of: it says `run 3 step 7.`
fn step_of(request: &Value) -> Step {
    let messages = request["messages"].as_array().unwrap();
    let prompt = messages.last().unwrap()["content"].as_str().unwrap();
    let (_, rest) = prompt.split_once("run ").unwrap();
    let (run, rest) = rest.split_once(" step ").unwrap();
    let (step, _) = rest.split_once('.').unwrap();
    (run.parse().unwrap(), step.parse().unwrap())
}
