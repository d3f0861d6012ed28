//! The other engines.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use unleash_yggdrasil::{EngineState, UpdateMessage};
use vexil_domain::{Context, EnvironmentSnapshot, FlagName};

use crate::case::{Answer, document};
use crate::kinds::PeerName;

/// An engine that can be asked about every flag for every context.
pub(crate) trait Peer {
    fn name(&self) -> PeerName;
    fn ask(
        &mut self,
        snapshot: &EnvironmentSnapshot,
        flags: &[FlagName],
        contexts: &[Context],
    ) -> Vec<Answer>;
}

thread_local! {
    /// Whether this thread asks an engine that may panic.
    static MAY_PANIC: Cell<bool> = const { Cell::new(false) };
}

/// Has other engines panic without a word.
pub(crate) fn hush() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !MAY_PANIC.get() {
            before(info);
        }
    }));
}

/// The engine that most SDKs share.
pub(crate) struct Yggdrasil;

impl Peer for Yggdrasil {
    fn name(&self) -> PeerName {
        PeerName::Yggdrasil
    }

    fn ask(
        &mut self,
        snapshot: &EnvironmentSnapshot,
        flags: &[FlagName],
        contexts: &[Context],
    ) -> Vec<Answer> {
        let document = document(snapshot);
        let engine = EngineState::default();
        let state = serde_json::from_str(&document).unwrap();
        engine.take_state(UpdateMessage::FullResponse(state));
        let contexts: Vec<_> = contexts.iter().map(their_context).collect();
        let each = flags
            .iter()
            .flat_map(|flag| contexts.iter().map(move |context| (flag, context)));
        each.map(|(flag, context)| {
            let asked = AssertUnwindSafe(|| engine.get_variant(flag.as_str(), context, &None));
            MAY_PANIC.set(true);
            let variant = catch_unwind(asked);
            MAY_PANIC.set(false);
            let Ok(variant) = variant else {
                return Answer::Failed("it panics".to_owned());
            };
            let payload = variant.payload.map(|payload| payload.value);
            Answer::new(
                variant.feature_enabled,
                variant.enabled.then_some((variant.name, payload)),
            )
        })
        .collect()
    }
}

fn their_context(context: &Context) -> unleash_yggdrasil::Context {
    let properties = context.properties.iter();
    let properties: HashMap<_, _> = properties
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    unleash_yggdrasil::Context {
        user_id: context.user_id.clone(),
        session_id: context.session_id.clone(),
        environment: context.environment.clone(),
        app_name: context.app_name.clone(),
        current_time: context.current_time.clone(),
        remote_address: context.remote_address.clone(),
        properties: Some(properties),
    }
}

/// The SDK for Node.js, in a process of its own.
pub(crate) struct Node {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Node {
    /// Starts it where it is installed; else says that it was left out, or fails where nothing may be.
    pub(crate) fn start() -> Option<Self> {
        let Some(script) = std::env::var_os("VEXIL_NODE_SDK") else {
            println!("LEFT OUT: the SDK for Node.js, since `VEXIL_NODE_SDK` names no script");
            return None;
        };
        let mut process = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let questions = process.stdin.take().unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        Some(Self {
            process,
            questions,
            answers,
        })
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Peer for Node {
    fn name(&self) -> PeerName {
        PeerName::Node
    }

    fn ask(
        &mut self,
        snapshot: &EnvironmentSnapshot,
        flags: &[FlagName],
        contexts: &[Context],
    ) -> Vec<Answer> {
        let state: Value = serde_json::from_str(&document(snapshot)).unwrap();
        let flags: Vec<&str> = flags.iter().map(FlagName::as_str).collect();
        let contexts: Vec<Value> = contexts.iter().map(as_json).collect();
        let question = json!({ "state": state, "flags": flags, "contexts": contexts });
        writeln!(self.questions, "{question}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let answers: Vec<Value> = serde_json::from_str(&line).unwrap();
        answers
            .iter()
            .map(|answer| {
                if let Some(error) = answer["error"].as_str() {
                    return Answer::Failed(error.to_owned());
                }
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let variant = answer["enabled"] == true;
                let variant = variant.then(|| (text(&answer["name"]).unwrap(), text(&answer["payload"])));
                Answer::new(answer["on"] == true, variant)
            })
            .collect()
    }
}

fn as_json(context: &Context) -> Value {
    let standard = [
        ("userId", &context.user_id),
        ("sessionId", &context.session_id),
        ("remoteAddress", &context.remote_address),
        ("environment", &context.environment),
        ("appName", &context.app_name),
        ("currentTime", &context.current_time),
    ];
    let present = standard
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)));
    let mut document: Value = present
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let properties = context.properties.iter();
    document["properties"] = properties
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    document
}
