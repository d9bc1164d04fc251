//! Runs rustc with the crates that this test was compiled with.

use std::{
    collections::BTreeMap,
    env, fs, iter,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

use crate::normalize::normalize;

const CRATES: &[&str] = &cot_externs::arguments!();

/// What cargo passes, and what keeps messages the same on all machines.
const SETTINGS: [&str; 7] = [
    "--edition=2024",
    "--crate-name=program",
    "--emit=metadata",
    "--error-format=json",
    "--diagnostic-width=140",
    "--verbose",
    "-Adead_code",
];

/// Compiles a program and returns it with its messages.
pub(crate) fn compile(program: PathBuf) -> (PathBuf, String) {
    let messages = messages(&program, "bin");
    let messages = join(messages.into_iter().map(|message| message.text).collect());
    (program, messages)
}

/// Compiles programs as the modules of a few crates, and returns the messages about each.
///
/// Errors of an early stage of the compiler hide those of a later one. Programs without a message are therefore
/// compiled again without the others, as long as that shows any.
pub(crate) fn compile_together(programs: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let size = programs.len().div_ceil(cores()).max(1);
    let groups: Vec<_> = programs.chunks(size).enumerate().collect();
    let found = in_parallel(groups, |(number, group)| {
        let (mut left, mut found) = (group.to_vec(), BTreeMap::new());
        loop {
            let reported = compile_modules(&left, number);
            if reported.is_empty() {
                return found;
            }
            left.retain(|program| !reported.contains_key(program));
            found.extend(reported);
        }
    });
    found.into_iter().flatten().collect()
}

fn compile_modules(programs: &[PathBuf], number: usize) -> BTreeMap<PathBuf, String> {
    let modules = programs.iter().enumerate().map(|(index, program)| {
        format!("#[path = {:?}]\npub mod program_{index};\n", program.display().to_string())
    });
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("together_{number}.rs"));
    fs::write(&file, modules.collect::<String>()).expect("the folder is there");
    let mut found: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for message in messages(&file, "lib") {
        let Some(index) = programs.iter().position(|program| *program == message.file) else {
            continue;
        };
        let text = message.text.replace(&format!("program_{index}::"), "");
        found.entry(programs[index].clone()).or_default().push(text);
    }
    found.into_iter().map(|(program, messages)| (program, join(messages))).collect()
}

/// A message of rustc.
struct Message {
    /// Where its first primary place is.
    file: PathBuf,
    text: String,
}

fn messages(program: &Path, kind: &str) -> Vec<Message> {
    as_json(program, kind).iter().filter_map(message).collect()
}

/// Returns the messages of rustc about a program.
pub(crate) fn as_json(program: &Path, kind: &str) -> Vec<Value> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    // From where cargo compiles our crates, so that rustc finds what it shows of them.
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.args(SETTINGS).args(CRATES).arg("--crate-type").arg(kind).arg(program);
    command.arg("-o").arg(output_file());
    let output = command.output().expect("there is a compiler");
    let lines = String::from_utf8(output.stderr).expect("rustc writes UTF-8");
    let read = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
    lines.lines().map(read).collect()
}

/// Returns a file of its own for what rustc writes. It must be a plain file in a folder of ours: rustc replaces what it
/// is given, and as root that would replace a device such as the null device.
fn output_file() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("program_{number}.rmeta"))
}

/// Reads a message. Summaries at the end have no place, and are none.
fn message(json: &Value) -> Option<Message> {
    let spans = json["spans"].as_array()?;
    let place = spans.iter().find(|span| span["is_primary"] == true)?;
    let file = PathBuf::from(place["file_name"].as_str()?);
    Some(Message { file, text: normalize(json["rendered"].as_str()?) })
}

/// Writes messages below each other. Cargo prints those once that rustc prints twice.
fn join(messages: Vec<String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for message in messages {
        if !distinct.contains(&message) {
            distinct.push(message);
        }
    }
    distinct.join("\n\n") + "\n"
}

/// Applies a function to each item, on as many threads as there are cores.
pub(crate) fn in_parallel<T: Send, R: Send>(
    items: Vec<T>,
    apply: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let waiting = Mutex::new(items);
    let next = || waiting.lock().ok()?.pop();
    thread::scope(|scope| {
        let work = || iter::from_fn(next).map(&apply).collect::<Vec<R>>();
        let threads: Vec<_> = (0..cores()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
