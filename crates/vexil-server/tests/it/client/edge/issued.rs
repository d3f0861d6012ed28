//! The tokens that Edge gets.

use super::*;

#[actix_web::test]
async fn a_client_that_signs_gets_tokens_that_work_and_the_same_ones_again() {
    let server = server();
    server
        .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
        .await
        .ok();
    let body = json!({ "tokens": [
        { "environment": "development", "projects": ["*"] },
        { "environment": "production", "projects": ["shop"], "more": 1 },
        { "environment": "production", "projects": ["shop", "default"] },
        { "environment": "production", "projects": ["default", "shop", "default"] },
    ] });
    let answer = Signed::new("1", &body).sign().to(&server).await;
    let told = answer.ok();
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let made = secrets(&answer);
    for (secret, start) in made.iter().zip([
        "*:development.",
        "shop:production.",
        "[]:production.",
        "[]:production.",
    ]) {
        assert!(
            secret.strip_prefix(start).is_some_and(|rest| rest.len() == 64),
            "{secret}"
        );
        let headers = [("authorization", secret.as_str())];
        server
            .send(Method::GET, "/api/client/features", &headers, "")
            .await
            .ok();
    }
    // which are the same projects
    assert_eq!(made[2], made[3]);
    assert_eq!(told["tokens"][0]["projects"], json!(["*"]));
    assert_eq!(
        told["tokens"][1],
        json!({
            "token": made[1], "type": "client", "projects": ["shop"], "environment": "production",
        })
    );
    let known = json!({ "tokens": made });
    assert_eq!(
        server.post("/edge/validate", known).await.ok()["tokens"],
        told["tokens"]
    );
    // again, also after a restart and by another server
    let clients = [format!("edge:{SECRET}")];
    let another = knowing(server.another(), &[&clients[0]]);
    assert_eq!(issued(&server, "2", &body).await, made);
    assert_eq!(issued(&another, "2", &body).await, made);
    let all = tokens(&server).await;
    assert_eq!(all.len(), 3);
    assert!(
        all.iter()
            .all(|token| token["tokenName"] == "edge-client:edge" && token["type"] == "client")
    );
    let events = server.get("/api/admin/events").await.ok()["events"].clone();
    assert_eq!(events[0]["type"], "api-token-created");
    assert_eq!(events[0]["createdBy"], "edge-client:edge");
    assert!(!events.to_string().contains(&made[0]));
    // another instance makes others with the same client's secret
    let elsewhere = super::server();
    elsewhere.set_time(START + Duration::seconds(1));
    elsewhere
        .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
        .await
        .ok();
    let others = issued(&elsewhere, "1", &body).await;
    assert!(others.iter().all(|secret| !made.contains(secret)));
    // another client has its own
    let second = Signed {
        client: "second",
        key: OTHER,
        ..Signed::new("1", &body)
    };
    let second = secrets(&second.sign().to(&server).await);
    assert!(second.iter().all(|secret| !made.contains(secret)));
    assert_eq!(tokens(&server).await.len(), 6);
}

#[actix_web::test]
async fn a_token_that_was_removed_or_has_ended_or_whose_client_has_another_secret_is_made_anew() {
    let server = server();
    let body = asking("development", &["*"]);
    let first = issued(&server, "1", &body).await.remove(0);
    server
        .delete(&format!("/api/admin/api-tokens/{first}"))
        .await
        .ok();
    let second = issued(&server, "2", &body).await.remove(0);
    let ends = json!({ "expiresAt": "2026-11-27T12:30:19Z" });
    server
        .put(&format!("/api/admin/api-tokens/{second}"), ends)
        .await
        .ok();
    let third = issued(&server, "3", &body).await.remove(0);
    let works = async |secret: &str| {
        let headers = [("authorization", secret)];
        server
            .send(Method::GET, "/api/client/features", &headers, "")
            .await
            .status
    };
    assert_eq!(
        [works(&first).await, works(&second).await, works(&third).await],
        [401, 401, 200]
    );
    let renewed = knowing(server.another(), &[&format!("edge:{OTHER}")]);
    let signed = Signed {
        key: OTHER,
        ..Signed::new("4", &body)
    };
    let fourth = secrets(&signed.sign().to(&renewed).await).remove(0);
    assert_eq!(
        [&first, &second, &third]
            .iter()
            .filter(|known| ***known == fourth)
            .count(),
        0
    );
    // nobody gets what a person has made under the same name
    let person = json!({ "tokenName": "edge-client:edge", "type": "client", "environment": "production", "projects": ["*"] });
    let given = server.post("/api/admin/api-tokens", person).await.ok();
    let fifth = issued(&server, "5", &asking("production", &["*"]))
        .await
        .remove(0);
    assert_ne!(given["secret"], fifth.as_str());
}

#[actix_web::test]
async fn a_client_gets_a_thousand_tokens() {
    let server = server();
    let mut wanted = Vec::new();
    for number in 0..10 {
        let id = format!("p{number}");
        server
            .post("/api/admin/projects", json!({ "id": id, "name": id }))
            .await
            .ok();
    }
    for set in 1..1002_u32 {
        let of_set = (0..10).filter(|bit| set >> bit & 1 == 1);
        let projects: Vec<String> = of_set.map(|bit| format!("p{bit}")).collect();
        wanted.push(json!({ "environment": "development", "projects": projects }));
    }
    let all = json!({ "tokens": wanted });
    let answer = Signed::new("1", &all).sign().to(&server).await;
    refused(
        &answer,
        StatusCode::FORBIDDEN,
        "InvalidOperationError",
        "1000 tokens",
    );
    assert_eq!(tokens(&server).await.len(), 0);
    wanted.pop();
    let all = json!({ "tokens": wanted });
    let made = issued(&server, "2", &all).await;
    assert_eq!(made.len(), 1000);
    assert_eq!(issued(&server, "3", &all).await, made);
    let answer = Signed::new("4", &asking("production", &["*"]))
        .sign()
        .to(&server)
        .await;
    refused(
        &answer,
        StatusCode::FORBIDDEN,
        "InvalidOperationError",
        "1000 tokens",
    );
}

#[actix_web::test]
async fn of_many_equal_requests_at_once_one_makes_the_token() {
    let server = server();
    let body = asking("development", &["*"]);
    let requests = (0..50).map(|number| {
        let signed = Signed::new(&number.to_string(), &body).sign();
        let server = server.clone();
        async move { secrets(&signed.to(&server).await) }
    });
    let told = futures_util::future::join_all(requests).await;
    assert!(told.iter().all(|one| one == &told[0]));
    assert_eq!(tokens(&server).await.len(), 1);
}

#[actix_web::test]
async fn secrets_of_edge_clients_are_listed_where_secrets_are_listed() {
    let server = server();
    let app = server
        .app()
        .clone()
        .with_secret_key(&"k".repeat(32), true)
        .unwrap();
    let server = server.with_app(app);
    let made = issued(&server, "1", &asking("development", &["*"])).await;
    assert_eq!(tokens(&server).await[0]["secret"], made[0].as_str());
}
