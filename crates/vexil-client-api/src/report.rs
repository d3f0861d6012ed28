//! What an SDK sends to a server: who it is, and what it counted.

use time::OffsetDateTime;
use vexil_domain::FlagName;
use vexil_engine::FlagTally;
use vexil_values::Instant;

/// An instance of an application, as it registers and reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The application.
    pub application: String,
    /// What tells this process from others of the application.
    pub instance: String,
    /// The SDK and its version, such as `my-sdk:1.0.0`.
    pub sdk_version: String,
    /// The strategy types that it can evaluate besides Unleash's own.
    pub strategies: Vec<String>,
    /// When it started.
    pub started: OffsetDateTime,
    /// How often it reports usage, in milliseconds.
    pub interval: u32,
}

/// The strategy types that the engine evaluates.
const BUILT_IN: [&str; 8] = [
    "default",
    "flexibleRollout",
    "userWithId",
    "remoteAddress",
    "applicationHostname",
    "gradualRolloutUserId",
    "gradualRolloutSessionId",
    "gradualRolloutRandom",
];

impl Instance {
    /// The body of `POST /api/client/register`.
    #[must_use]
    pub fn registration(&self) -> String {
        let mut out = Writer::default();
        out.raw("{");
        self.write_names(&mut out);
        out.raw(",\"sdkVersion\":");
        out.text(&self.sdk_version);
        out.raw(",\"strategies\":[");
        let own = self.strategies.iter().map(String::as_str);
        for (place, strategy) in BUILT_IN.into_iter().chain(own).enumerate() {
            out.comma(place);
            out.text(strategy);
        }
        out.raw("],\"started\":");
        out.moment(self.started);
        out.raw(",\"interval\":");
        out.number(self.interval.into());
        out.raw("}");
        out.0
    }

    /// The body of `POST /api/client/metrics`: what was counted between two moments, as
    /// [`Tally::take`](vexil_engine::Tally::take) gives it.
    #[must_use]
    pub fn usage<'a>(
        &self,
        start: OffsetDateTime,
        stop: OffsetDateTime,
        counts: impl IntoIterator<Item = (&'a FlagName, &'a FlagTally)>,
    ) -> String {
        let mut out = Writer::default();
        out.raw("{");
        self.write_names(&mut out);
        out.raw(",\"bucket\":{\"start\":");
        out.moment(start);
        out.raw(",\"stop\":");
        out.moment(stop);
        out.raw(",\"toggles\":{");
        for (place, (flag, counts)) in counts.into_iter().enumerate() {
            out.comma(place);
            out.text(flag.as_str());
            out.raw(":{\"yes\":");
            out.number(counts.yes);
            out.raw(",\"no\":");
            out.number(counts.no);
            out.raw(",\"variants\":{");
            let given = counts.variants.iter().filter(|(_, times)| *times > 0);
            for (place, (name, times)) in given.enumerate() {
                out.comma(place);
                out.text(name);
                out.raw(":");
                out.number(*times);
            }
            out.raw("}}");
        }
        out.raw("}}}");
        out.0
    }

    fn write_names(&self, out: &mut Writer) {
        out.raw("\"appName\":");
        out.text(&self.application);
        out.raw(",\"instanceId\":");
        out.text(&self.instance);
    }
}

/// JSON that is being written.
#[derive(Default)]
struct Writer(String);

impl Writer {
    fn raw(&mut self, part: &str) {
        self.0.push_str(part);
    }

    fn comma(&mut self, place: usize) {
        if place > 0 {
            self.raw(",");
        }
    }

    fn text(&mut self, text: &str) {
        self.raw(&serde_json::Value::from(text).to_string());
    }

    fn number(&mut self, number: u64) {
        self.raw(&number.to_string());
    }

    fn moment(&mut self, moment: OffsetDateTime) {
        self.text(&Instant::from(moment).to_string());
    }
}
