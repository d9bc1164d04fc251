//! The program of the README: reads orders out of a mail, one at a time.

use cot_core::{model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    /// Article number, such as `A-1042`.
    #[schemars(regex(pattern = r"^[A-Z]-[0-9]{4}$"))]
    article: String,
    #[schemars(range(min = 1, max = 100))]
    quantity: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Inbox {
    mail: String,
    orders: Vec<Order>,
}

cot_process! {
    /// Reads the orders out of a mail.
    process ReadOrders {
        state: Inbox,
        intro: "You read orders out of mails. The mail:\n${quoted(state.mail)}",
        max_steps: 20,
        default_return: look,

        task look {
            prompt: "Found so far: ${json(state.orders)}",
            transitions: {
                read_order: "The mail orders something else" if state.orders.len() < 10,
                done: "Everything is found",
            },
        }

        task read_order -> Order {
            prompt: "Give the next order.",
            check: is_new,
            update: orders[],
        }

        task done { end }
    }
}

fn is_new(order: &Order, inbox: &Inbox) -> Result<(), Issues> {
    if inbox.orders.iter().any(|found| found.article == order.article) {
        return Err(Issues::at("article", "was found before"));
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A scripted model needs no key and no network. It makes two mistakes, as real ones do.
    let model = ScriptedModel::new([
        r#"{ "intent": "read the first order", "goTo": "read_order", "stepAfter": "look again" }"#,
        r#"Here you are: { "article": "a1042", "quantity": 0 }"#,
        r#"{ "article": "A-1042", "quantity": 2 }"#,
        r#"{ "intent": "nothing is left", "goTo": "done", "stepAfter": "none" }"#,
    ]);
    let inbox = Inbox { mail: "Please send two A-1042. Ada".into(), ..Inbox::default() };

    let runner = ReadOrders::runner().model(model).observe(|event, _| match event {
        RunEvent::TaskStarted { task, .. } => println!("{task}"),
        RunEvent::AttemptFailed { attempt, .. } => {
            attempt.issues.iter().for_each(|issue| println!("  {issue}"));
        }
        RunEvent::Committed { output, .. } => println!("  {output:?}"),
        RunEvent::Transitioned { go_to, intent, .. } => println!("  to {go_to}: {intent}"),
        _ => {}
    });
    let run = runner.run(inbox).await?;
    println!("{:?} after {} calls", run.outcome, run.usage.calls);
    Ok(())
}
