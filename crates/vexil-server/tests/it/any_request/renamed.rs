//! That an edit which says another name than its path renames what it edits, or is refused, and is never passed over.

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_server::all_routes;

use super::bodies::body;
use super::world::World;
use crate::chance::Chance;

#[actix_web::test]
async fn an_edit_that_says_another_id_than_its_path_is_refused() {
    let world = World::new(1).await;
    let (mut refused, mut passed_over) = (Vec::new(), Vec::new());
    for route in all_routes() {
        if route.method != Method::PUT && route.method != Method::PATCH {
            continue;
        }
        let asked = format!("{} {}", route.method, route.path);
        let path = world.first_path(&route);
        for other in [json!(987_654), json!("another")] {
            let Some(mut sent) = body(&asked, &world, &mut Chance::new(1)) else {
                continue;
            };
            match &mut sent {
                Value::Object(members) => drop(members.insert("id".to_owned(), other)),
                Value::Array(patch) if route.method == Method::PATCH => {
                    patch.push(json!({ "op": "add", "path": "/id", "value": other }));
                }
                _ => continue,
            }
            let answer = world
                .server
                .call(crate::support::ADMIN, route.method.clone(), &path, Some(&sent))
                .await;
            if (200..300).contains(&answer.status) {
                passed_over.push(asked.clone());
            } else if answer.status == 400 {
                refused.push(asked.clone());
            }
        }
    }
    assert_eq!(passed_over, [""; 0]);
    refused.dedup();
    for kind in [
        "/strategies/{strategy}",
        "/segments/{segment}",
        "/user-admin/{id}",
        "/projects/{project}",
    ] {
        assert!(
            refused.iter().any(|asked| asked.ends_with(kind)),
            "{kind}: {refused:#?}"
        );
    }
}

#[actix_web::test]
async fn an_edit_that_says_another_name_renames_or_is_refused() {
    let world = World::new(1).await;
    let (mut renamed, mut refused, mut passed_over) = (Vec::new(), Vec::new(), Vec::new());
    for route in all_routes() {
        // a type's lifetime is set by its own path, and no type is renamed
        if route.method != Method::PUT || route.path.ends_with("/lifetime") {
            continue;
        }
        let asked = format!("{} {}", route.method, route.path);
        // what these are called is no name of a flag
        let path = world
            .first_path(&route)
            .replace("/strategies/checkout", "/strategies/mine")
            .replace("/update/checkout", "/update/qa")
            .replace("/tag-types/checkout", "/tag-types/simple");
        let Some(mut sent) = body(&asked, &world, &mut Chance::new(1)) else {
            continue;
        };
        let Some(members) = sent.as_object_mut() else {
            continue;
        };
        members.insert("name".to_owned(), json!("somebody-else"));
        let answer = world.server.put(&path, sent).await;
        let told = answer.text.contains("name of ") || answer.text.contains("`name`");
        if (200..300).contains(&answer.status) {
            let shown = path.replace("/environments/update/", "/environments/");
            let shown = world.server.get(&shown).await;
            if shown.text.contains("somebody-else") {
                renamed.push(route.path);
            } else {
                passed_over.push(asked);
            }
        } else if told {
            refused.push(route.path);
        }
    }
    assert!(passed_over.is_empty(), "{passed_over:?}");
    println!("renamed: {renamed:#?}, refused: {refused:#?}");
    assert!(
        renamed.len() >= 2 && refused.len() >= 20,
        "{renamed:?} {refused:?}"
    );
}
