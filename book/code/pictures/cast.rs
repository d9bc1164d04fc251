//! What a terminal shows: commands, and what they print, line by line.

use super::svg::{Picture, columns, wrapped};

const SIZE: f64 = 14.0;
const LINE: f64 = 19.0;
const MARGIN: f64 = 18.0;
const COLUMNS: u16 = 66;
/// Seconds from one line to the next, and before a command.
const STEP: f64 = 0.35;
const PAUSE: f64 = 1.2;

/// Lines are shown at once where nothing is animated.
const STYLE: &str = "
.panel { fill: #16181d }
text { font: 14px ui-monospace, Menlo, 'DejaVu Sans Mono', monospace; fill: #c9d1d9; animation: late 0s }
.command { fill: #ffffff; font-weight: bold }
.worker { fill: #e3b341 }
.dies { fill: #ff7b72; font-weight: bold }
@keyframes late { from, to { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { text { animation: none !important } }
";

/// Draws commands with their output. `title` describes them.
#[must_use]
pub fn cast(title: &str, commands: &[(String, String)]) -> String {
    let mut picture = Picture::new(columns(COLUMNS, SIZE) + 2.0 * MARGIN, STYLE);
    let (mut y, mut seconds) = (MARGIN + SIZE, 0.0);
    for (command, output) in commands {
        let typed = format!("$ {command}");
        for line in std::iter::once(&*typed).chain(output.lines()) {
            seconds += if line == typed { PAUSE } else { STEP };
            let attributes =
                format!(r#"class="{}" style="animation-duration: {seconds:.2}s""#, class(line));
            for piece in wrapped(line, usize::from(COLUMNS)) {
                picture.text((MARGIN, y), &attributes, &piece);
                y += LINE;
            }
        }
        y += LINE / 2.0;
    }
    picture.finish(title, MARGIN)
}

fn class(line: &str) -> &'static str {
    match line {
        line if line.starts_with("$ ") => "command",
        line if line.starts_with("worker: ") => "worker",
        line if line.contains("dies") => "dies",
        _ => "line",
    }
}
