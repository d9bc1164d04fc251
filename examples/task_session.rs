//! A conversation in the TASK format, with a tool that requests the weather from a local server. The
//! conversation is stored in a SQLite file: kill the program at any time and start it again, and it continues
//! with the reply that it waits for.
//!
//! ```sh
//! cargo run -p cot-examples --example task_session         # two messages; kill it and start it again
//! CRASH=1 cargo run -p cot-examples --example task_session # or let it die in the middle of its third call
//! ```
//!
//! `cot runs answer weather user '{"text":"And tomorrow?"}' --store FILE` sends the next message, which the
//! program answers when it is started again.

use std::{env, error::Error, process};

use axum::{Json, Router, extract::Path, http::StatusCode, routing::get};
use cot_core::{
    CotOutput, LanguageModel,
    model::{ModelRequest, OpenAiCompatible, ScriptedModel},
    task_format::{
        self, BlockKind,
        session::{ActiveTurn, Session, SessionEvent, SessionLimits},
    },
    tools::ToolSet,
};
use cot_sqlite::SqliteStore;
use futures_util::StreamExt;
use reqwest::Client;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// The messages of the user.
const QUESTIONS: [&str; 2] = [
    "What is the weather in 94103 today, and what shall I wear?",
    "And in 10001, and in 00000, in degrees Celsius?",
];

/// Places and their weather, in degrees Fahrenheit.
const PLACES: [(&str, i32, &str); 2] = [("94103", 68, "overcast"), ("10001", 41, "rain")];

/// The arguments of the weather tool.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct GetWeather {
    /// The postal code of the place.
    #[schemars(regex(pattern = "^[0-9]{5}$"))]
    pub zip_code: String,
    /// The units; imperial by default.
    pub unit: Option<Unit>,
}

/// Units of measurement.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Degrees Celsius.
    Metric,
    /// Degrees Fahrenheit.
    Imperial,
}

/// The weather at a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Weather {
    /// The temperature in the requested unit.
    pub temperature: i32,
    /// The condition of the sky.
    pub sky: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = serve().await?;
    println!("server: {server}");

    // The server is local, so that no proxy applies.
    let client = Client::builder().no_proxy().build()?;
    let get_weather = move |asked: GetWeather| {
        let (client, url) = (client.clone(), format!("{server}/weather/{}", asked.zip_code));
        async move {
            let weather = client.get(url).send().await?.error_for_status()?.json().await?;
            Ok::<Weather, reqwest::Error>(in_unit(weather, asked.unit))
        }
    };
    let file = env::temp_dir().join("cot-task-session.sqlite");
    println!("store: {}", file.display());
    let mut session = Session::builder(model()?)
        .system("You are a helpful assistant.")
        .tools(ToolSet::new().tool("get_weather", "The weather at a place now", get_weather))
        .limits(SessionLimits { rounds: 10, ..SessionLimits::default() })
        .open(SqliteStore::open(&file)?, "weather")
        .await?;
    if let Some(turn) = session.continue_turn() {
        println!("continues the turn that another program began");
        show(turn).await?;
    }
    let blocks = &session.trace().blocks;
    let asked = blocks.iter().filter(|block| block.kind == BlockKind::User).count();
    for question in QUESTIONS.into_iter().skip(asked) {
        println!("user: {question}");
        show(session.user(question)).await?;
    }

    let text = session.trace().to_string();
    println!("\n{text}");
    let report = task_format::check(&text);
    println!("{} structures, valid: {}", report.blocks.len(), report.is_valid());
    println!("remove {} to start again", file.display());
    Ok(())
}

/// Prints the events of a turn.
async fn show(mut turn: ActiveTurn<'_>) -> Result<(), Box<dyn Error>> {
    while let Some(event) = turn.next().await {
        match event {
            SessionEvent::Asked { round, attempt } => {
                println!("asked: round {round}, attempt {attempt}");
            }
            SessionEvent::Finding(finding) => println!("finding: {finding}"),
            SessionEvent::Refused { diagnostics, .. } => {
                diagnostics.iter().for_each(|wrong| println!("refused: {wrong}"));
            }
            SessionEvent::Calling { id, tool, arguments } => {
                println!("calls {tool} {arguments} as {id}");
            }
            SessionEvent::Called { id, result: Ok(result), .. } => {
                println!("result of {id}: {result}");
            }
            SessionEvent::Called { id, result: Err(error), .. } => {
                println!("failure of {id}: {error}");
            }
            SessionEvent::Ended(response) => println!("response: {}", response?),
            _ => {}
        }
    }
    for todo in turn.session().trace().todos() {
        let mark = if todo.is_satisfied { 'x' } else { ' ' };
        println!("todo: [{mark}] {} {}", todo.number, todo.text);
    }
    Ok(())
}

/// Starts a weather server and returns its address.
async fn serve() -> Result<String, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = Router::new().route("/weather/{zip_code}", get(weather));
    // The server ends with the program.
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(format!("http://{address}"))
}

async fn weather(Path(zip_code): Path<String>) -> Result<Json<Weather>, StatusCode> {
    let found = PLACES.iter().find(|(place, ..)| *place == zip_code);
    let (_, temperature, sky) = *found.ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(Weather { temperature, sky: sky.to_owned() }))
}

fn in_unit(weather: Weather, unit: Option<Unit>) -> Weather {
    match unit.unwrap_or(Unit::Imperial) {
        Unit::Imperial => weather,
        Unit::Metric => Weather { temperature: (weather.temperature - 32) * 5 / 9, ..weather },
    }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(ScriptedModel::from_fn(scripted)),
    })
}

/// The replies of the scripted model. One call has an invalid argument, which the model corrects; one place is
/// unknown. They depend on the request alone, so that a program that starts again continues the same script.
fn scripted(request: &ModelRequest) -> &'static str {
    let prompt = request.prompt();
    let turn = prompt.rsplit("user「").next().unwrap_or_default();
    let has_plan = turn.contains("plan {");
    match (prompt.contains("🏷 usr2"), has_plan) {
        (false, false) => REPLIES[0],
        (false, true) if turn.contains("result {") => {
            if env::var_os("CRASH").is_some() {
                println!("the program dies");
                process::abort();
            }
            REPLIES[2]
        }
        (false, true) => REPLIES[1],
        (true, false) => REPLIES[3],
        (true, true) => REPLIES[4],
    }
}

const REPLIES: [&str; 5] = [
    r#"plan {
    todo ↦ {
        1 ↦ "Fetch the weather information." •
        2 ↦ "Determine the best clothing for the weather." ※ usr1 •
        3 ↦ "Present to the user."
    } •
    rationale ↦ "The get_weather tool gives live weather; clothing follows from it."
}

act { call ↦ { tool ↦ get_weather • zip_code ↦ "San Francisco" • id ↦ "weather-result" } ⊨ 1 }"#,
    r#"act { call ↦ { tool ↦ get_weather • zip_code ↦ "94103" • id ↦ "weather-result" } ⊨ 1 }"#,
    r#"act {
    think ↦ "At 68 degrees and overcast, a light sweater makes sense." 𝑝 0.9 ※ "weather-result" 🏷 rationale ⊨ 2
}

response「It is 68 degrees Fahrenheit and overcast in 94103: take a light sweater.」※ ["weather-result" • rationale] ⊨ 3"#,
    r#"plan { todo ↦ { 4 ↦ "Fetch both." • 5 ↦ "Present them." ※ usr2 } • rationale ↦ "Both at once." }

act {
    call ↦ { tool ↦ get_weather • zip_code ↦ "10001" • unit ↦ metric • id ↦ new-york } •
    call ↦ { tool ↦ get_weather • zip_code ↦ "00000" • unit ↦ metric • id ↦ nowhere } ⊨ 4
}"#,
    r#"response「It is 5 degrees Celsius in 10001, with rain. There is no weather for 00000.」※ [new-york • nowhere] ⊨ 5"#,
];
