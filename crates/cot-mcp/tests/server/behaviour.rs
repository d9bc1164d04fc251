//! What the server answers.

use std::{collections::HashMap, env, fs, io::Write, process};

use serde_json::{Value, json};

/// The options of the server.
pub(crate) struct Behaviour {
    options: HashMap<String, String>,
}

/// What the server does with a message.
pub(crate) enum Reaction {
    Reply(Value),
    /// A notification needs no answer.
    Nothing,
    Hang,
    Die,
    /// Over HTTP: ends after it has begun a stream.
    DieInStream,
}

impl Behaviour {
    pub(crate) fn new(arguments: &[String]) -> Self {
        let pairs = arguments.chunks(2);
        let options =
            pairs.map(|pair| (pair[0].trim_start_matches('-').to_owned(), pair[1].clone()));
        Self { options: options.collect() }
    }

    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.option(name)?.parse().ok()
    }

    /// Ends the program with a message on the standard error.
    pub(crate) fn die(&self) -> ! {
        eprintln!("\npanicked: the disk is full (key {})", env::var("KEY").unwrap_or_default());
        process::exit(1)
    }

    pub(crate) fn react(&self, message: &Value) -> Reaction {
        self.log(message);
        let Some(id) = message.get("id") else { return Reaction::Nothing };
        let result = match message["method"].as_str() {
            Some("server/discover") if self.option("initialize") == Some("unknown") => json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
                "ttlMs": 0,
                "cacheScope": "private",
            }),
            Some("initialize") => match self.option("initialize") {
                Some("unknown") => return error(id, "no method `initialize`"),
                Some("hang") => return Reaction::Hang,
                Some("die") => return Reaction::Die,
                Some("refuse") => return error(id, "no, and your key is hunter2-secret"),
                _ => json!({
                    "protocolVersion": message["params"]["protocolVersion"],
                    "capabilities": { "tools": {} },
                    "serverInfo": { "name": "test", "version": "1" },
                }),
            },
            Some("tools/list") => match self.option("list") {
                Some("hang") => return Reaction::Hang,
                Some("text") => json!({ "tools": "none" }),
                Some("text-schema") => {
                    json!({ "tools": [{ "name": "odd", "inputSchema": "text" }] })
                }
                Some("repeat") => json!({ "tools": [], "nextCursor": "again" }),
                _ => self.list(message["params"]["cursor"].as_str()),
            },
            Some("tools/call") => return self.call(id, &message["params"]),
            Some("ping") => json!({}),
            other => return error(id, &format!("no method {other:?}")),
        };
        Reaction::Reply(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    fn log(&self, message: &Value) {
        let Some(file) = self.option("log") else { return };
        let mut file = fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
        writeln!(file, "{}", json!({ "pid": process::id(), "message": message })).unwrap();
    }

    /// Lists the tools, in pages if there is an option for their size.
    fn list(&self, cursor: Option<&str>) -> Value {
        let tools = self.tools();
        let size = self.number("page").unwrap_or(tools.len());
        let start: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        let end = (start + size).min(tools.len());
        match end < tools.len() {
            true => json!({ "tools": tools[start..end], "nextCursor": end.to_string() }),
            false => json!({ "tools": tools[start..end] }),
        }
    }

    fn tools(&self) -> Vec<Value> {
        if let Some(count) = self.number("tools") {
            return (0..count).map(|number| tool(&format!("tool-{number}"), object())).collect();
        }
        let names = [
            "hang",
            "die",
            "die-stream",
            "huge",
            "image",
            "fail",
            "structured",
            "meta",
            "env",
            "pid",
            "refuse",
            "input",
        ];
        let mut tools: Vec<Value> = names.iter().map(|name| tool(name, object())).collect();
        let text = match self.option("changed").is_some_and(|file| fs::exists(file).unwrap()) {
            true => json!({ "type": "integer" }),
            false => json!({ "type": "string" }),
        };
        tools.push(tool("echo", json!({ "type": "object", "properties": { "text": text } })));
        match self.option("lie") {
            Some("list") => tools.push(tool("lie", json!({ "type": "array" }))),
            Some("untyped") => tools.push(tool("lie", json!({}))),
            Some("wrong") => {
                let list = json!({ "type": "array", "items": { "type": "strin" } });
                let schema = json!({ "type": "object", "properties": { "a": list } });
                tools.push(tool("lie", schema));
            }
            Some("outside") => {
                let schema = json!({ "type": "object", "$ref": "http://127.0.0.1:9/schema.json" });
                tools.push(tool("lie", schema));
            }
            Some("large") => {
                let schema = json!({ "type": "object", "description": "x".repeat(100_000) });
                tools.push(tool("lie", schema));
            }
            Some("description") => {
                let lie = json!({ "name": "lie", "description": "x".repeat(20_000), "inputSchema": object() });
                tools.push(lie);
            }
            Some("long-name") => tools.push(tool(&"x".repeat(100_000), object())),
            Some("name") => tools.push(tool("lie.to me", object())),
            Some("twice") => tools.push(tool("echo", object())),
            _ => {}
        }
        tools
    }

    fn call(&self, id: &Value, params: &Value) -> Reaction {
        let arguments = &params["arguments"];
        let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
        let result = match params["name"].as_str().unwrap() {
            "echo" => text(arguments["text"].as_str().unwrap()),
            "hang" => return Reaction::Hang,
            "die" => return Reaction::Die,
            "die-stream" => return Reaction::DieInStream,
            "huge" => {
                text(&"x".repeat(usize::try_from(arguments["bytes"].as_u64().unwrap()).unwrap()))
            }
            "image" => json!({ "content": [
                { "type": "text", "text": "A picture:" },
                { "type": "image", "data": "AAAA".repeat(1_000_000), "mimeType": "image/png" },
                { "type": "audio", "data": "AAA=", "mimeType": "audio/wav" },
                { "type": "resource_link", "uri": "file:///a.txt", "name": "a", "description": "A text" },
                { "type": "resource", "resource": { "uri": "file:///b.txt", "text": "small" } },
                { "type": "resource", "resource": { "uri": "file:///c.txt", "text": "x".repeat(100_000) } },
                { "type": "resource", "resource": { "uri": "file:///d", "blob": "AAAA", "mimeType": "image/gif" } },
            ] }),
            "fail" => json!({
                "content": [{ "type": "text", "text": "no such order" }],
                "isError": true,
            }),
            "structured" => json!({
                "content": [{ "type": "text", "text": "{\"price\": 1}" }],
                "structuredContent": { "price": 1 },
            }),
            "meta" => text(&params["_meta"].to_string()),
            "env" => text(&env::var(arguments["name"].as_str().unwrap()).unwrap_or_default()),
            "pid" => text(&process::id().to_string()),
            "input" => {
                json!({ "resultType": "input_required", "inputRequests": {}, "requestState": "x" })
            }
            name => return error(id, &format!("{name}: the key hunter2-secret is refused")),
        };
        Reaction::Reply(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }
}

fn object() -> Value {
    json!({ "type": "object" })
}

fn tool(name: &str, schema: Value) -> Value {
    json!({ "name": name, "description": format!("Does {name}"), "inputSchema": schema })
}

fn error(id: &Value, message: &str) -> Reaction {
    let error = json!({ "code": -32602, "message": message });
    Reaction::Reply(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}
