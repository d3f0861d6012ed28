//! The server SDK for Rust, unchanged: reads flags, decides in this process, reports usage.
//!
//! Standard input: `{ url, appName, adminToken, clientToken, edited, flags: [name], contexts: [context] }`.
//! Standard output: `{ decisions: [{ flag, context (its index), enabled, variant }] }`.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio::time::sleep;
use unleash_api_client::Context;
use unleash_api_client::client::{Client, ClientBuilder, FeatureKey, Variant};

/// How often the SDK asks for flags and reports, in milliseconds.
const INTERVAL: u64 = 100;
/// How long it may take to see an edit.
const SOON: Duration = Duration::from_secs(1);

/// Flags are asked for by name.
#[derive(Debug, Clone, Copy)]
enum Unnamed {}

impl FeatureKey for Unnamed {
    fn name(self) -> &'static str {
        match self {}
    }
}

/// On one thread: the SDK loses what is counted in its flags while another thread puts new ones in their place.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let question: Value = serde_json::from_reader(io::stdin())?;
    let text = |name: &str| question[name].as_str().unwrap_or_default();
    let app_name = text("appName");
    let client: Client<Unnamed> = ClientBuilder::default()
        .interval(INTERVAL)
        .enable_string_features()
        .into_client(
            &format!("{}/api", text("url")),
            app_name,
            "acceptance",
            Some(text("clientToken").to_owned()),
        )?;
    let client = Arc::new(client);
    client.register().await?;
    let polling = tokio::spawn({
        let client = Arc::clone(&client);
        async move { client.poll_for_updates().await }
    });
    let begun = Instant::now();
    // the SDK tells nobody when it has asked, so that one has to look
    while client.cached_state().is_none() {
        in_time(begun, "flags")?;
        sleep(Duration::from_millis(5)).await;
    }
    saw_edits(&question, &client).await?;

    let mut decisions = Vec::new();
    for (index, context) in question["contexts"].as_array().into_iter().flatten().enumerate() {
        let context = in_this_application(context, app_name)?;
        for flag in question["flags"].as_array().into_iter().flatten() {
            let name = flag.as_str().unwrap_or_default();
            let enabled = client.is_enabled_str(name, Some(&context), false);
            let variant = written(client.get_variant_str(name, &context), enabled);
            decisions.push(json!({ "flag": flag, "context": index, "enabled": enabled, "variant": variant }));
        }
        // its polling goes on meanwhile
        tokio::task::yield_now().await;
    }
    // what was counted is sent by the next round that begins, and that one is over when polling stops
    sleep(Duration::from_millis(INTERVAL)).await;
    client.stop_poll().await;
    polling.await?;
    println!("{}", json!({ "decisions": decisions }));
    Ok(())
}

/// Turns the flag `edited` on and off again; fails where the SDK does not see both within a second.
async fn saw_edits(question: &Value, client: &Client<Unnamed>) -> Result<(), Box<dyn Error + Send + Sync>> {
    let text = |name: &str| question[name].as_str().unwrap_or_default();
    let flag = text("edited");
    let (url, features) = (text("url"), "/api/admin/projects/default/features");
    for (wanted, switch) in [(true, "on"), (false, "off")] {
        let edit = reqwest::Client::new()
            .post(format!(
                "{url}{features}/{flag}/environments/development/{switch}"
            ))
            .header("Authorization", text("adminToken"));
        edit.send().await?.error_for_status()?;
        let begun = Instant::now();
        while client.is_enabled_str(flag, None, false) != wanted {
            in_time(begun, "an edit")?;
            sleep(Duration::from_millis(5)).await;
        }
        eprintln!(
            "{} saw an edit after {} ms",
            text("appName"),
            begun.elapsed().as_millis()
        );
    }
    Ok(())
}

fn in_time(begun: Instant, what: &str) -> Result<(), String> {
    if begun.elapsed() > SOON {
        return Err(format!("{what} was not seen within {SOON:?}"));
    }
    Ok(())
}

/// The context as the SDK reads it; whose application it is must be said each time.
fn in_this_application(context: &Value, app_name: &str) -> serde_json::Result<Context> {
    let mut members: Map<String, Value> = serde_json::from_value(context.clone())?;
    members.entry("appName").or_insert(json!(app_name));
    members.entry("environment").or_insert(json!("default"));
    serde_json::from_value(Value::Object(members))
}

/// The variant, with what this SDK says of the flag apart from it.
fn written(variant: Variant, enabled: bool) -> Value {
    let mut written = json!({ "name": variant.name, "enabled": variant.enabled, "feature_enabled": enabled });
    if !variant.payload.is_empty() {
        written["payload"] = json!(variant.payload);
    }
    written
}
