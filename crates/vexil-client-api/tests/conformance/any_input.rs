//! What must hold for any input at all; the fuzz target and the tests share it.

use time::OffsetDateTime;
use vexil_client_api::{load_engine, read_context, read_delta, read_features};
use vexil_engine::{Ambient, Engine};

/// Reads a context and a document, separated by a zero byte, and asks everything.
///
/// # Panics
///
/// When two ways of asking disagree.
pub(crate) fn answer(input: &[u8]) {
    let mut parts = input.splitn(2, |byte| *byte == 0);
    let (Some(context), Some(document)) = (parts.next(), parts.next()) else {
        return;
    };
    let context = read_context(&serde_json::from_slice(context).unwrap_or_default());
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 7);
    if let Ok(delta) = read_delta(document) {
        let _ = delta.next(&Engine::default());
    }
    let (Ok(features), Ok(loaded)) = (read_features(document), load_engine(document)) else {
        return;
    };
    let compiled = Engine::compile(&features.snapshot).0;
    assert_eq!(compiled.len(), loaded.engine.len());
    let prepared = compiled.prepare(&context, &ambient);
    for name in features.snapshot.flags.keys().map(|name| name.as_str()) {
        let explanation = compiled.explain(name, &context, &ambient).unwrap();
        let choice = compiled.variant(name, &context, &ambient);
        assert_eq!(explanation.enabled, compiled.is_enabled(name, &context, &ambient));
        assert_eq!(explanation.enabled, choice.feature_enabled);
        assert_eq!(choice, prepared.variant(name));
        assert_eq!(
            Some(&explanation),
            loaded.engine.explain(name, &context, &ambient).as_ref()
        );
        assert!(!explanation.to_string().is_empty());
    }
}
