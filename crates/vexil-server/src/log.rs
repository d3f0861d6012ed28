//! The log: one line for each event, whatever anybody's text holds.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

/// A level that is not understood.
#[derive(Debug)]
pub(crate) struct UnknownLevel;

/// Starts writing the log to standard error.
pub(crate) fn start(level: &str) -> Result<(), UnknownLevel> {
    // a word that is no level would be taken for the name of a part of the program
    let is_level = |part: &str| part.contains('=') || part.trim().parse::<LevelFilter>().is_ok();
    if !level.split(',').all(is_level) {
        return Err(UnknownLevel);
    }
    // what anybody may send is no error of the server; whoever wants to see it names the part
    let filter = format!("actix_http=off,{level}");
    let filter = EnvFilter::try_new(filter).map_err(|_unhelpful| UnknownLevel)?;
    // a second server in one process keeps the log of the first
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Escaping)
        .try_init();
    Ok(())
}

/// Writes to standard error what cannot be taken for more than one line.
struct Escaping;

impl MakeWriter<'_> for Escaping {
    type Writer = Escaped<io::Stderr>;

    fn make_writer(&self) -> Self::Writer {
        Escaped(io::stderr())
    }
}

/// Each write is an event, and becomes one line.
struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let mut line = String::with_capacity(text.len());
        for letter in text.trim_end_matches('\n').chars() {
            if is_plain(letter) {
                line.push(letter);
            } else {
                line.extend(letter.escape_default());
            }
        }
        line.push('\n');
        self.0.write_all(line.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether a letter neither moves the cursor nor changes what stands around it: no control character, line
/// separator, or turn of the direction of writing.
fn is_plain(letter: char) -> bool {
    !letter.is_control()
        && !matches!(
            letter,
            '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{061c}'
        )
        && !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// So many failures are told in a second; the others are counted.
const TOLD: u64 = 20;

/// Lets some failures of a kind be told, and counts the others.
pub(crate) struct Throttle {
    /// The second in which some were told.
    second: AtomicU64,
    told: AtomicU64,
    passed_over: AtomicU64,
}

impl Throttle {
    pub(crate) const fn new() -> Self {
        Self {
            second: AtomicU64::new(0),
            told: AtomicU64::new(0),
            passed_over: AtomicU64::new(0),
        }
    }

    /// How many were passed over before, if this one is to be told.
    pub(crate) fn admit(&self, now: Instant) -> Option<u64> {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let start = *START.get_or_init(|| now);
        let second = now.saturating_duration_since(start).as_secs();
        if self.second.swap(second, Ordering::Relaxed) != second {
            self.told.store(0, Ordering::Relaxed);
        }
        if self.told.fetch_add(1, Ordering::Relaxed) < TOLD {
            return Some(self.passed_over.swap(0, Ordering::Relaxed));
        }
        self.passed_over.fetch_add(1, Ordering::Relaxed);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn written(event: &str) -> String {
        let mut out = Escaped(Vec::new());
        out.write_all(event.as_bytes()).unwrap();
        String::from_utf8(out.0).unwrap()
    }

    #[test]
    fn an_event_is_one_line_whatever_its_text_holds() {
        assert_eq!(written("WARN a flag `f`\n"), "WARN a flag `f`\n");
        assert_eq!(
            written("WARN \"10.0.0.0/33\n2026-11-28 ERROR forged\r\n\"\n"),
            "WARN \"10.0.0.0/33\\n2026-11-28 ERROR forged\\r\\n\"\n"
        );
        assert_eq!(
            written("\u{1b}[2J\u{7}\u{9b}1m\u{2028}\u{202e}é€😀\n"),
            "\\u{1b}[2J\\u{7}\\u{9b}1m\\u{2028}\\u{202e}é€😀\n"
        );
    }

    #[test]
    fn every_letter_that_moves_the_cursor_is_escaped() {
        for letter in (0..0x3000).filter_map(char::from_u32) {
            let line = written(&format!("a{letter}b\n"));
            let body = line.strip_suffix('\n').unwrap();
            assert!(!body.chars().any(char::is_control), "{letter:?}");
            assert_eq!(body.lines().count(), 1, "{letter:?}");
        }
    }

    #[test]
    fn a_storm_of_failures_is_told_in_a_few_lines_and_a_number() {
        let throttle = Throttle::new();
        let begun = Instant::now();
        let told = (0..1000).filter(|_| throttle.admit(begun).is_some()).count();
        assert_eq!(told, 20);
        assert_eq!(throttle.admit(begun + Duration::from_secs(2)), Some(980));
    }
}
