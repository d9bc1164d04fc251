//! A process of twenty tasks with an output each, on a server that speaks the chat-completions API.

#[path = "../../outputs.rs"]
mod outputs;

use std::{env, error::Error};

use cot_core::{model::OpenAiCompatible, prelude::*};
use outputs::*;

cot_process! {
    process Plan {
        state: {
            input product: String,
            audience: Audience,
            problem: Problem,
            promise: Promise,
            rivals: Rivals,
            price: Price,
            channel: Channel,
            message: Message,
            timeline: Timeline,
            budget: Budget,
            risks: Risks,
            metrics: Metrics,
            team: Team,
            partners: Partners,
            legal: Legal,
            support: Support,
            launch: Launch,
            feedback: Feedback,
            revision: Revision,
            forecast: Forecast,
            summary: Summary,
        },
        goal: "A plan for the launch of ${state.product}",
        intro: "You plan the launch of a product, one part at a time.",

        task audience -> Audience {
            title: "Plan the audience",
            prompt: "Plan the audience of ${state.product}.",
            update: audience,
            next: problem,
        }

        task problem -> Problem {
            title: "Plan the problem",
            prompt: "Plan the problem of ${state.product}.\nThe part before it:\n${json(state.audience)}",
            update: problem,
            next: promise,
        }

        task promise -> Promise {
            title: "Plan the promise",
            prompt: "Plan the promise of ${state.product}.\nThe part before it:\n${json(state.problem)}",
            update: promise,
            next: rivals,
        }

        task rivals -> Rivals {
            title: "Plan the rivals",
            prompt: "Plan the rivals of ${state.product}.\nThe part before it:\n${json(state.promise)}",
            update: rivals,
            next: price,
        }

        task price -> Price {
            title: "Plan the price",
            prompt: "Plan the price of ${state.product}.\nThe part before it:\n${json(state.rivals)}",
            update: price,
            next: channel,
        }

        task channel -> Channel {
            title: "Plan the channel",
            prompt: "Plan the channel of ${state.product}.\nThe part before it:\n${json(state.price)}",
            update: channel,
            next: message,
        }

        task message -> Message {
            title: "Plan the message",
            prompt: "Plan the message of ${state.product}.\nThe part before it:\n${json(state.channel)}",
            update: message,
            next: timeline,
        }

        task timeline -> Timeline {
            title: "Plan the timeline",
            prompt: "Plan the timeline of ${state.product}.\nThe part before it:\n${json(state.message)}",
            update: timeline,
            next: budget,
        }

        task budget -> Budget {
            title: "Plan the budget",
            prompt: "Plan the budget of ${state.product}.\nThe part before it:\n${json(state.timeline)}",
            update: budget,
            next: risks,
        }

        task risks -> Risks {
            title: "Plan the risks",
            prompt: "Plan the risks of ${state.product}.\nThe part before it:\n${json(state.budget)}",
            update: risks,
            next: metrics,
        }

        task metrics -> Metrics {
            title: "Plan the metrics",
            prompt: "Plan the metrics of ${state.product}.\nThe part before it:\n${json(state.risks)}",
            update: metrics,
            next: team,
        }

        task team -> Team {
            title: "Plan the team",
            prompt: "Plan the team of ${state.product}.\nThe part before it:\n${json(state.metrics)}",
            update: team,
            next: partners,
        }

        task partners -> Partners {
            title: "Plan the partners",
            prompt: "Plan the partners of ${state.product}.\nThe part before it:\n${json(state.team)}",
            update: partners,
            next: legal,
        }

        task legal -> Legal {
            title: "Plan the legal",
            prompt: "Plan the legal of ${state.product}.\nThe part before it:\n${json(state.partners)}",
            update: legal,
            next: support,
        }

        task support -> Support {
            title: "Plan the support",
            prompt: "Plan the support of ${state.product}.\nThe part before it:\n${json(state.legal)}",
            update: support,
            next: launch,
        }

        task launch -> Launch {
            title: "Plan the launch",
            prompt: "Plan the launch of ${state.product}.\nThe part before it:\n${json(state.support)}",
            update: launch,
            next: feedback,
        }

        task feedback -> Feedback {
            title: "Plan the feedback",
            prompt: "Plan the feedback of ${state.product}.\nThe part before it:\n${json(state.launch)}",
            update: feedback,
            next: revision,
        }

        task revision -> Revision {
            title: "Plan the revision",
            prompt: "Plan the revision of ${state.product}.\nThe part before it:\n${json(state.feedback)}",
            update: revision,
            next: forecast,
        }

        task forecast -> Forecast {
            title: "Plan the forecast",
            prompt: "Plan the forecast of ${state.product}.\nThe part before it:\n${json(state.revision)}",
            update: forecast,
            next: summary,
        }

        task summary -> Summary {
            title: "Plan the summary",
            prompt: "Plan the summary of ${state.product}.\nThe part before it:\n${json(state.forecast)}",
            update: summary,
            next: done,
        }

        task done { end }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = env::args().nth(1).ok_or("the first argument is the base URL of a server")?;
    let model = OpenAiCompatible::builder(url, "tiny").build()?;
    let report = Plan::runner().model(model).run(PlanState::new("a kettle".to_owned())).await?;
    println!("{:?}", report.state.summary);
    Ok(())
}
