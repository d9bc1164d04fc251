//! A process in another language than that of the default texts.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;

use cot_core::{model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Eine Notiz.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    /// Der Wortlaut.
    text: String,
}

/// Ein Thema.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Topic {
    /// Der Name.
    name: String,
}

cot_process! {
    /// Schreibt Notizen.
    process Notes {
        state: { notes: Vec<Note> = Vec::new(), open: bool = true },
        goal: "Notizen zum Regen.",
        system: "Du erledigst einen Schritt.",
        primers: {
            goal: "Das Ziel:",
            history: "Bisher, als JSON:",
            errors: "An deiner letzten Antwort war falsch:",
            after_errors: "Antworte noch einmal, und richtig.",
            transitions: "Du darfst stattdessen wählen.",
            tasks: "Die Aufgaben:",
            transition: "* \"${task.name}\" (${task.title}): ",
            output: "Antworte mit JSON von diesem Typ:",
            choice: "Antworte nur mit einem Objekt:",
            or_choice: "Oder wähle mit diesem Objekt:",
            go_to: "Der Name der Aufgabe.",
            inputs: "Für ${task.title}.",
            no_inputs: "Sonst null.",
            intent: "Wozu.",
            step_after: "Was danach kommt.",
        },

        /// Wohin?
        task hub {
            title: "Verteiler",
            prompt: "Was nun?",
            transitions: { write, ask with model, done },
        }

        /// Eine Notiz
        task write -> Note {
            title: "Schreiben",
            prompt: "Schreib.",
            update: notes[],
            transitions: { ask: "wenn etwas fehlt" with model if state.open, done },
            next: hub,
        }

        /// Eine Frage
        task ask -> Note {
            title: "Fragen",
            inputs: Topic,
            prompt: "Zu ${inputs.name}",
            update: notes[],
            next: hub,
        }

        /// Fertig
        task done { title: "Ende", end }
    }
}

const CHOICE: &str = r#"{"intent": "schreiben", "goTo": "write", "stepAfter": "fertig"}"#;

/// The words of the default texts that no German text has.
const ENGLISH: [&str; 12] = [
    "the ", "The ", "with ", "a task", "reply", "Reply", "choose", "must", "what", "this", "list",
    "fit",
];

#[tokio::test]
async fn a_process_in_another_language_shows_no_default_text() {
    let model = Arc::new(ScriptedModel::new([
        CHOICE,
        r#"{"text": 7}"#,
        r#"{"text": "Es regnet."}"#,
        r#"{"intent": "fertig", "goTo": "done", "stepAfter": "nichts"}"#,
    ]));
    Notes::runner().model(Arc::clone(&model)).run(NotesState::default()).await.unwrap();
    let requests = model.requests();
    assert_eq!(requests.len(), 4);
    for request in &requests {
        // What the validator says of a value is no text of the prompt.
        let prompt = request.prompt().lines().filter(|line| !line.starts_with("- $"));
        let prompt = prompt.collect::<Vec<_>>().join("\n");
        let english = ENGLISH.iter().find(|word| prompt.contains(**word));
        assert_eq!(english, None, "{prompt}");
        assert_eq!(request.system(), Some("Du erledigst einen Schritt."));
    }
    let hub = requests[0].prompt();
    let list = "* \"write\" (Schreiben): Eine Notiz\n* \"ask\" (Fragen): Eine Frage\n\
        * \"done\" (Ende): Fertig";
    assert!(hub.contains(&format!("Die Aufgaben:\n{list}")), "{hub}");
    let choice = r#"{
  "goTo": string, // Der Name der Aufgabe.
  // Für Fragen. Sonst null.
  "inputs": { // Ein Thema.
    "name": string // Der Name.
  } or null,
  "intent": string, // Wozu.
  "stepAfter": string // Was danach kommt.
}"#;
    assert!(hub.contains(&format!("Antworte nur mit einem Objekt:\n{choice}")), "{hub}");
    let write = requests[1].prompt();
    assert!(write.contains("* \"ask\" (Fragen): wenn etwas fehlt\n"), "{write}");
    assert!(write.contains(&format!("\nOder wähle mit diesem Objekt:\n{choice}")), "{write}");
}
