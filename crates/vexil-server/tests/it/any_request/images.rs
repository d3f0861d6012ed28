//! That no answer leads a browser to a picture of somebody on another site.

use actix_web::http::Method;
use serde_json::Value;
use vexil_server::all_routes;

use super::world::World;

/// The members that name a picture, with what they say.
fn pictures(value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                if name.ends_with("mageUrl") {
                    found.push((name.clone(), inner.clone()));
                }
                pictures(inner, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| pictures(item, found)),
        _ => {}
    }
}

#[actix_web::test]
async fn no_answer_leads_to_a_picture_of_somebody_on_another_site() {
    let world = World::new(1).await;
    let (mut seen, mut routes) = (0, 0);
    for route in all_routes().iter().filter(|route| {
        let listens = route.path.ends_with("/live") || route.path.ends_with("/stream");
        route.method == Method::GET && route.path.starts_with("/api/admin/") && !listens
    }) {
        let path = world.first_path(route);
        let answer = world
            .server
            .call(&world.callers[3], Method::GET, &path, None)
            .await;
        assert!(!answer.text.contains("gravatar"), "{path}: {}", answer.text);
        let mut found = Vec::new();
        pictures(
            &serde_json::from_str(&answer.text).unwrap_or_default(),
            &mut found,
        );
        routes += usize::from(!found.is_empty());
        seen += found.len();
        for (name, says) in found {
            assert!(says.is_null() || says == "", "{path}: {name} is {says}");
        }
    }
    assert!(seen > 20 && routes > 5, "{seen} pictures on {routes} routes");
}
