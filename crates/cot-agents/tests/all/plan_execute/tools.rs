//! Functions that the model calls.

use std::fmt;

use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// Two numbers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Pair {
    #[schemars(range(min = 0, max = 100))]
    a: u32,
    b: u32,
}

/// The error of a division.
#[derive(Debug)]
struct ByZero;

impl fmt::Display for ByZero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("division by zero")
    }
}

impl std::error::Error for ByZero {}

async fn divide(pair: Pair) -> Result<Value, ByZero> {
    match pair.a.checked_div(pair.b) {
        Some(quotient) => Ok(json!({ "quotient": quotient })),
        None => Err(ByZero),
    }
}

fn call(name: &str, arguments: Value) -> Value {
    json!({ "todos": "- [ ] a", "action": name, "arguments": arguments })
}

/// Returns the result of one call, which the plan requests.
async fn called(name: &str, arguments: Value) -> Result<String, String> {
    let (chain, _) = chain([call(name, arguments), stop()]);
    let chain = chain.tools(
        ToolSet::new()
            .tool("divide", "Divides", divide)
            .tool("echo", "Says it", async |text: Text| Ok::<_, ByZero>(text.0))
            .tool("panics", "Panics", async |_: Nothing| -> Result<(), ByZero> { panic!("ouch") }),
    );
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), context.work.len()), (Some("42"), 2));
    match &context.work[0] {
        Work::Tool { result, .. } => result.clone(),
        other => panic!("{other:?}"),
    }
}

/// A value that is not an object; a call passes it as the member `value`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Text(String);

/// No arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Nothing {}

#[tokio::test]
async fn a_tool_is_called_with_typed_arguments() {
    let result = called("divide", json!({ "a": 12, "b": 4 })).await;
    assert_eq!(result.unwrap(), r#"{"quotient":3}"#);
    assert_eq!(called("echo", json!({ "value": "hi" })).await.unwrap(), "hi");
}

#[tokio::test]
async fn what_goes_wrong_is_told_to_the_model() {
    assert_eq!(called("divide", json!({ "a": 1, "b": 0 })).await.unwrap_err(), "division by zero");
    let error = called("divide", json!({ "a": 101, "b": 1 })).await.unwrap_err();
    assert!(error.starts_with("the arguments of \"divide\" are not valid:\n- $.a: "), "{error}");
    let error = called("divide", Value::Null).await.unwrap_err();
    assert!(error.contains("`a`") && error.contains("`b`"), "{error}");
    let error = called("multiply", json!({})).await.unwrap_err();
    assert_eq!(error, "there is no such tool; there are: `divide`, `echo`, `panics`");
    assert_eq!(called("panics", json!({})).await.unwrap_err(), "it panicked: ouch");
}

#[tokio::test]
async fn the_model_knows_the_tools_and_what_they_gave() {
    let (chain, model) =
        chain([plan(), call("divide", json!({ "a": 12, "b": 4 })), work("a"), stop()]);
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let list = Arc::clone(&told);
    let chain = chain
        .tools(ToolSet::new().tool("divide", "Divides badly", divide).tool(
            "divide",
            "Divides numbers",
            divide,
        ))
        .observe(move |progress| list.lock().unwrap().push(progress.clone()));
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    for request in 0..4 {
        let system = system(&model, request);
        let told = match request {
            0 => "- divide: Divides numbers",
            _ => {
                "{ \"action\": \"divide\", \"arguments\": { \"a\": integer, \"b\": integer } } // Calls a \
                 tool: Divides numbers. \"arguments\": Two numbers. \"a\": From 0 to 100."
            }
        };
        assert!(system.contains(told), "{system}");
        assert!(!system.contains("Divides badly"));
    }
    assert!(!system(&model, 1).contains("gave"));
    let given = r#"1. tool `divide` with {"a":12,"b":4} gave: {"quotient":3}"#;
    assert!(system(&model, 2).contains(given), "{}", system(&model, 2));
    let prompts: Vec<String> = model.requests().iter().map(|it| it.prompt().to_owned()).collect();
    let called = "tool `divide` with {\"a\":12,\"b\":4} gave: {\"quotient\":3}";
    let next = "Continue with the first open task: ";
    let expected = [format!("{next}a\nThe work on it so far:\n{called}"), format!("{next}more")];
    assert_eq!(prompts[2..], expected);
    let told = told.lock().unwrap();
    let arguments = json!({ "a": 12, "b": 4 });
    assert_eq!(told[2], Progress::Calling { name: "divide".to_owned(), arguments });
    let result = Ok(r#"{"quotient":3}"#.to_owned());
    assert_eq!(told[3], Progress::Called { name: "divide".to_owned(), result });
}

/// Another type with the same name.
mod other {
    use super::*;

    #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    pub(super) struct Pair {
        first: Text,
        rest: Option<Box<Self>>,
    }
}

#[tokio::test]
async fn replies_have_a_schema() {
    let (chain, model) = chain([plan(), stop()]);
    let chain = chain.tools(ToolSet::new().tool("divide", "Divides", divide).tool(
        "a/b",
        "Joins",
        async |_: other::Pair| Ok::<_, ByZero>(""),
    ));
    chain.run(&mut Context::new("Q")).await.unwrap();
    let [plan_schema, execute_schema] = [0, 1].map(|request| {
        let schema = model.requests()[request].schema.clone().unwrap();
        (schema.name.clone(), jsonschema::validator_for(&schema.json).unwrap())
    });
    assert_eq!((&*plan_schema.0, &*execute_schema.0), ("plan", "execute"));
    assert!(plan_schema.1.is_valid(&plan()) && !plan_schema.1.is_valid(&work("a")));
    assert!(execute_schema.1.is_valid(&stop()));
    // What else a reply has depends on its action, which comes first.
    for request in model.requests() {
        let schema = &request.schema.as_ref().unwrap().json;
        assert_eq!(schema["required"], json!(["action"]));
        let members: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(members[..2], ["action", "arguments"]);
    }
    let joined = json!({ "first": "a", "rest": { "first": "b" } });
    for (action, arguments, is_valid) in [
        ("divide", json!({ "a": 1, "b": 2 }), true),
        ("divide", json!({ "a": 101, "b": 2 }), false),
        ("a/b", joined, true),
        ("multiply", json!({ "a": 1, "b": 2 }), false),
    ] {
        assert_eq!(plan_schema.1.is_valid(&call(action, arguments)), is_valid, "{action}");
    }
}

#[test]
fn a_stage_that_stands_alone_has_a_schema_without_tools() {
    let (chain, _) = chain([plan()]);
    let request = chain.plan.prep(&Context::new("Q"));
    let schema = &request.schema.as_ref().unwrap().json;
    assert_eq!(schema["properties"]["action"]["enum"], json!(["continue", "stop"]));
    assert!(schema["properties"].get("arguments").is_none());
}

#[tokio::test]
async fn without_tools_the_model_is_told_so() {
    let (chain, model) = chain([plan(), call("search", json!({ "for": "x" })), stop()]);
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    assert!(system(&model, 2).contains("failed: there are no tools; `action` is"));
    assert!(!system(&model, 2).contains("\"arguments\""));
}

#[tokio::test]
async fn calls_count_as_steps() {
    let model = Arc::new(ScriptedModel::from_fn(|_| call("echo", json!({ "value": "x" }))));
    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
    let chain = chain
        .tools(ToolSet::new().tool("echo", "Says it", async |text: Text| Ok::<_, ByZero>(text.0)));
    let mut context = Context::new("Q");
    let ended =
        chain.limits(ChainLimits { steps: 3, ..ChainLimits::default() }).run(&mut context).await;
    assert_eq!(ended, Err(ChainError::StepLimit { limit: 3 }));
    assert_eq!(context.work.len(), 4);
}
