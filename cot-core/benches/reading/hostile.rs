//! Hostile replies: the time and the peak memory of reading them.

use std::{fs, hint::black_box, time::Instant};

use cot_core::reader::Reader;

use crate::replies::Report;

/// The names of the replies, with the repeated text.
const UNITS: [(&str, &str); 10] = [
    ("{", "{"),
    ("[{", "[{"),
    ("[{]}", "[{]}"),
    ("[1],", "[1],"),
    ("{\"a\":1} ", "{\"a\":1} "),
    ("{'a':1,", "{'a':1,"),
    ("[\"a\" ", "[\"a\" "),
    ("{\"a\":\"", "{\"a\":\""),
    ("\", \"a\": \"", "\", \"a\": \""),
    ("{} </think>", "{} </think>"),
];

/// Prints a line per hostile reply of a size, and one for a list of a size.
pub(crate) fn report(size: usize) {
    println!("\nhostile replies of {size} bytes; peak memory beyond what was in use before");
    println!("{:<16}{:>12}{:>14}{:>14}", "repeated", "time", "per byte", "peak to size");
    for (name, unit) in UNITS {
        line(name, &unit.repeat(size / unit.len()));
    }
    line("a list of them", &format!("[{}]", "[1],".repeat(size / 4)));
    line("with findings", &format!("{{\"findings\": [{}]}}", "{\"a\":1},".repeat(size / 8)));
}

fn line(name: &str, reply: &str) {
    let readers = [Reader::any(), Reader::for_type::<Report>()];
    // The schema of each reader is compiled before the measurement.
    readers.iter().for_each(|reader| _ = black_box(reader.read("{}")));
    let before = reset_peak();
    let began = Instant::now();
    readers.iter().for_each(|reader| _ = black_box(reader.read(reply)));
    let elapsed = began.elapsed().as_secs_f64() / readers.len() as f64;
    let peak = peak().zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let shown = peak
        .map_or("unknown".to_owned(), |peak| format!("{:.1}x", peak as f64 / reply.len() as f64));
    println!(
        "{name:<16}{:>9.2} ms{:>11.1} ns{shown:>14}",
        elapsed * 1e3,
        elapsed * 1e9 / reply.len() as f64
    );
}

/// Resets the peak of the used memory, if the system supports it, and returns the current value.
fn reset_peak() -> Option<usize> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

/// Returns the peak of the used memory in bytes.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? * 1024)
}
