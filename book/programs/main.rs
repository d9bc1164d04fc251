//! The programs of the tutorial: `cargo run -p cot-book -- classify` runs that of its first chapter.
//!
//! Each is a whole program in a file of its own. A binary for each would be linked for each, which takes long.
#![expect(clippy::print_stdout, reason = "the programs of the tutorial print what they do")]

use std::{env, process::ExitCode};

/// Declares the program in the file of this name, and modules that it has.
macro_rules! program {
    ($name:ident $($module:item)*) => {
        mod $name {
            include!(concat!(stringify!($name), ".rs"));

            /// Runs the program.
            pub(super) fn run() -> std::process::ExitCode {
                std::process::Termination::report(main())
            }

            $($module)*
        }
    };
}

program! {
    classify

    /// Prints the first request of the process.
    pub(super) fn print_request() -> std::process::ExitCode {
        let mut machine = cot_core::Machine::<Triage>::new();
        let _ = machine.start(TriageState::new(TICKET.to_owned()));
        let Ok(request) = machine.prompt() else { return std::process::ExitCode::FAILURE };
        println!("{}\n\n{}", request.system().unwrap_or_default(), request.prompt());
        std::process::ExitCode::SUCCESS
    }
}
program! { check }
program! {
    ask

    /// Prints the parts of a request as JSON: that of a choice, after a reply that was rejected.
    #[tokio::main(flavor = "current_thread")]
    pub(super) async fn print_parts() -> std::process::ExitCode {
        let model = std::sync::Arc::new(script().recording(true));
        let runner = Triage::runner().model(std::sync::Arc::clone(&model));
        let run = runner.run(TriageState::new(TICKET.to_owned())).await;
        let requests = model.requests();
        let Some(request) = requests.get(2).filter(|_| run.is_ok()) else {
            return std::process::ExitCode::FAILURE;
        };
        println!("{}", json!(request.segments()));
        std::process::ExitCode::SUCCESS
    }
}
program! { tool }
program! { person }
program! {
    store

    /// Prints the graph of the process.
    pub(super) fn print_graph() -> std::process::ExitCode {
        print!("{}", Triage::describe().mermaid());
        std::process::ExitCode::SUCCESS
    }

    #[cfg(test)]
    mod tests {
        include!("tests.rs");
    }
}
program! { eval }
program! { deploy }

fn main() -> ExitCode {
    let name = env::args().nth(1).unwrap_or_default();
    match &*name {
        "classify" => classify::run(),
        "prompt" => classify::print_request(),
        "parts" => ask::print_parts(),
        "graph" => store::print_graph(),
        "check" => check::run(),
        "ask" => ask::run(),
        "tool" => tool::run(),
        "person" => person::run(),
        "store" => store::run(),
        "eval" => eval::run(),
        "deploy" => deploy::run(),
        _ => {
            println!(
                "there is no program `{name}`: a program has the name of its file in book/programs"
            );
            ExitCode::from(2)
        }
    }
}
