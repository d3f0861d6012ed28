//! What pages show first, and where applications run.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::FEATURES;
use crate::roles::{MEMBER, OWNER, call, give};
use crate::support::{CLIENT, FRONTEND, TestServer};
use crate::users::person;

#[actix_web::test]
async fn the_dashboard_has_the_projects_and_flags_of_whoever_asks() {
    let server = TestServer::new();
    let ed = person(&server, "ed", "Editor").await;
    let vic = person(&server, "vic", "Viewer").await;
    server
        .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
        .await
        .ok();
    server
        .post(FEATURES, json!({ "name": "of-the-admin" }))
        .await
        .ok();
    call(&server, &ed, Method::POST, FEATURES, json!({ "name": "of-ed" }))
        .await
        .ok();
    let asked = async |token: &str| {
        server
            .call(token, Method::GET, "/api/admin/personal-dashboard", None)
            .await
            .ok()
    };
    let told = asked(&ed.token).await;
    assert_eq!(
        told["flags"],
        json!([{ "name": "of-ed", "type": "release", "project": "default" }])
    );
    assert_eq!(
        told["projects"],
        json!([
            { "id": "default", "name": "Default", "health": 100, "technicalDebt": 0, "memberCount": 0, "featureCount": 2 },
            { "id": "shop", "name": "Shop", "health": 100, "technicalDebt": 0, "memberCount": 0, "featureCount": 0 },
        ])
    );
    // whoever may make no flags has the projects where they were given something, else those they see
    assert_eq!(asked(&vic.token).await["projects"].as_array().unwrap().len(), 2);
    give(&server, &vic, &[OWNER]).await;
    let told = asked(&vic.token).await;
    assert_eq!(
        (
            &told["projects"][0]["id"],
            told["projects"].as_array().unwrap().len()
        ),
        (&json!("default"), 1)
    );
    assert_eq!(
        told["projectOwners"],
        json!([{ "ownerType": "user", "name": "vic", "email": null, "imageUrl": "" }])
    );
}

#[actix_web::test]
async fn a_project_of_the_dashboard_has_its_owners_and_ones_own_roles() {
    let server = TestServer::new();
    let path = "/api/admin/personal-dashboard/default";
    let ed = person(&server, "ed", "Editor").await;
    let told = server.call(&ed.token, Method::GET, path, None).await.ok();
    assert_eq!(
        (&told["owners"], &told["roles"]),
        (&json!([{ "ownerType": "system" }]), &json!([]))
    );
    assert_eq!(
        told["onboardingStatus"],
        json!({ "status": "onboarding-started" })
    );
    give(&server, &ed, &[MEMBER]).await;
    call(&server, &ed, Method::POST, FEATURES, json!({ "name": "f" }))
        .await
        .ok();
    let told = server.call(&ed.token, Method::GET, path, None).await.ok();
    assert_eq!(told["roles"][0]["name"], "Member");
    assert_eq!(
        told["latestEvents"][0]["summary"],
        "**ed**: feature-created of **f**"
    );
    let missing = server.get("/api/admin/personal-dashboard/no").await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_project_says_how_it_is() {
    let server = TestServer::new();
    for name in ["a", "b", "c", "gone"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    server.delete(&format!("{FEATURES}/gone")).await.ok();
    server
        .post(
            "/api/admin/projects/default/stale",
            json!({ "features": ["a"], "stale": true }),
        )
        .await
        .ok();
    let report = |flag: &str| {
        json!({ "appName": "web", "bucket": {
        "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": { flag: { "yes": 1, "no": 0 } } } })
    };
    let sent = report("b");
    server
        .call(CLIENT, Method::POST, "/api/client/metrics", Some(&sent))
        .await
        .ok();
    let told = server.get("/api/admin/projects/default/status").await.ok();
    assert_eq!(
        told["lifecycleSummary"],
        json!({
            "initial": { "averageDays": null, "currentFlags": 2 },
            "preLive": { "averageDays": null, "currentFlags": 1 },
            "live": { "averageDays": null, "currentFlags": 0 },
            "completed": { "averageDays": null, "currentFlags": 0 },
            "archived": { "currentFlags": 1, "last30Days": 1 },
        })
    );
    // one of three is stale: 33 percent
    assert_eq!(
        (&told["technicalDebt"], &told["health"]),
        (&json!({ "current": 33 }), &json!({ "current": 67 }))
    );
    assert_eq!(told["staleFlags"], json!({ "total": 1 }));
    // the project itself, four flags made, one archived, one marked
    assert_eq!(
        told["activityCountByDate"],
        json!([{ "date": "2026-11-27", "count": 7 }])
    );
    let counts = server.get("/api/admin/lifecycle/count").await.ok();
    assert_eq!(
        counts,
        json!({ "initial": 2, "preLive": 1, "live": 0, "completed": 0, "archived": 1 })
    );
    server
        .get("/api/admin/projects/no/status")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn whoever_may_be_named_is_listed() {
    let server = TestServer::new();
    let ed = person(&server, "ed", "Editor").await;
    call(&server, &ed, Method::POST, FEATURES, json!({ "name": "f" }))
        .await
        .ok();
    let creators = server.get("/api/admin/projects/default/flag-creators").await.ok();
    assert_eq!(creators, json!([{ "id": ed.id, "name": "ed" }]));
    let all = server.get("/api/admin/event-creators").await.ok();
    let all = all.as_array().unwrap();
    for wanted in [
        json!({ "id": -1, "name": "system" }),
        json!({ "id": ed.id, "name": "ed" }),
    ] {
        assert!(all.contains(&wanted), "{all:?}");
    }
    // whoever is listed can be asked for
    for one in all {
        let path = format!("/api/admin/search/events?createdBy=IS:{}", one["id"]);
        let found = server.get(&path).await.ok();
        let names = found["events"].as_array().unwrap();
        assert!(
            names.iter().all(|event| event["createdBy"] == one["name"]),
            "{one} {found}"
        );
    }
}

#[actix_web::test]
async fn an_application_says_where_it_runs() {
    let server = TestServer::new();
    server.post(FEATURES, json!({ "name": "f" })).await.ok();
    let registration = json!({ "appName": "app", "instanceId": "i1", "sdkVersion": "unleash-client-node:6.0.0",
        "strategies": ["default", "odd"], "started": 1, "interval": 10 });
    server
        .call(CLIENT, Method::POST, "/api/client/register", Some(&registration))
        .await
        .ok();
    let report = json!({ "appName": "app", "bucket": { "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z",
        "toggles": { "f": { "yes": 1, "no": 0 }, "unknown": { "yes": 1, "no": 0 } } } });
    server
        .call(CLIENT, Method::POST, "/api/client/metrics", Some(&report))
        .await
        .ok();
    let told = server
        .get("/api/admin/metrics/applications/app/overview")
        .await
        .ok();
    assert_eq!(
        told,
        json!({
            "projects": ["default"], "featureCount": 2, "issues": { "missingStrategies": ["odd"] },
            "environments": [{
                "name": "development", "instanceCount": 1, "sdks": ["unleash-client-node:6.0.0"], "frontendSdks": [],
                "backendSdks": ["unleash-client-node:6.0.0"], "lastSeen": "2026-11-27T12:30:20.000Z",
                "issues": { "missingFeatures": ["unknown"], "outdatedSdks": [] },
            }],
        })
    );
    let instances = server
        .get("/api/admin/metrics/instances/app/environment/development")
        .await
        .ok();
    assert_eq!(
        instances,
        json!({ "instances": [{ "instanceId": "i1", "clientIp": null,
        "sdkVersion": "unleash-client-node:6.0.0", "lastSeen": "2026-11-27T12:30:20.000Z" }] })
    );
    let none = server
        .get("/api/admin/metrics/instances/app/environment/production")
        .await
        .ok();
    assert_eq!(none, json!({ "instances": [] }));
    let of_project = server.get("/api/admin/projects/default/applications").await.ok();
    assert_eq!(
        (&of_project["total"], &of_project["applications"][0]["name"]),
        (&json!(1), &json!("app"))
    );
    assert_eq!(
        of_project["applications"][0]["sdks"],
        json!([{ "name": "unleash-client-node", "versions": ["6.0.0"] }])
    );
    let other = server
        .get("/api/admin/projects/default/applications?query=zzz")
        .await
        .ok();
    assert_eq!(other, json!({ "applications": [], "total": 0 }));
    server
        .get("/api/admin/metrics/applications/no/overview")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn an_admin_says_from_which_pages_front_ends_may_ask() {
    let server = TestServer::new();
    let path = "/api/admin/ui-config/cors";
    let allowed = async |server: &TestServer, from: &str| {
        let headers = [("authorization", FRONTEND), ("origin", from)];
        let answer = server.send(Method::GET, "/api/frontend", &headers, "").await;
        answer.header("access-control-allow-origin").map(str::to_owned)
    };
    let shop = "https://shop.example";
    assert_eq!(allowed(&server, shop).await.as_deref(), Some("*"));
    server
        .post(
            path,
            json!({ "frontendApiOrigins": [shop, "https://other.example"] }),
        )
        .await
        .ok();
    let another = server.another();
    for node in [&server, &another] {
        assert_eq!(allowed(node, shop).await.as_deref(), Some(shop));
        assert_eq!(allowed(node, "https://evil.example").await, None);
    }
    let told = server.get("/api/admin/ui-config").await.ok();
    assert_eq!(told["frontendApiOrigins"], json!([shop, "https://other.example"]));
    for wrong in [
        json!({ "frontendApiOrigins": ["shop.example"] }),
        json!({}),
        json!({ "frontendApiOrigins": [3] }),
        json!({ "frontendApiOrigins": ["https://a.example,https://b.example"] }),
        json!({ "frontendApiOrigins": null }),
    ] {
        server
            .post(path, wrong)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    server.post(path, json!({ "frontendApiOrigins": [] })).await.ok();
    assert_eq!(allowed(&server, shop).await, None);
    server
        .post(path, json!({ "frontendApiOrigins": ["*"] }))
        .await
        .ok();
    assert_eq!(
        allowed(&server, "https://evil.example").await.as_deref(),
        Some("*")
    );
}

#[actix_web::test]
async fn the_instance_counts_what_it_has() {
    let server = TestServer::new();
    person(&server, "ed", "Editor").await;
    server.post(FEATURES, json!({ "name": "f" })).await.ok();
    let told = server.get("/api/admin/instance-admin/statistics").await.ok();
    let found = (&told["users"], &told["featureToggles"], &told["apiTokens"]);
    let tokens = json!({ "admin": 1, "client": 2, "backend": 0, "frontend": 1 });
    assert_eq!(found, (&json!(1), &json!(1), &tokens));
    // the id is that of the instance, on each of its servers and after another start, and of no other instance
    let id = |told: &serde_json::Value| told["instanceId"].as_str().unwrap().to_owned();
    let again = server.another();
    again.add_client_token("default:development.another");
    let told_again = again.get("/api/admin/instance-admin/statistics").await.ok();
    let told_elsewhere = TestServer::new()
        .get("/api/admin/instance-admin/statistics")
        .await
        .ok();
    assert_eq!((id(&told).len(), id(&told_again)), (36, id(&told)));
    assert_ne!(id(&told_elsewhere), id(&told));
    let csv = server.get("/api/admin/instance-admin/statistics/csv").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let rows: Vec<&str> = csv.text.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    let names: Vec<String> = rows[0].split(',').map(|name| name.replace('"', "")).collect();
    assert_eq!(
        names,
        told.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    );
    let tokens = r#",1,0,"{""admin"":1,""client"":2,""backend"":0,""frontend"":1}","{"#;
    assert!(
        rows[1].contains(tokens) && rows[1].ends_with(",false,false"),
        "{}",
        rows[1]
    );
    assert_eq!(
        server.get("/api/admin/maintenance").await.ok(),
        json!({ "enabled": false })
    );
    let sent = server.get("/api/admin/telemetry/settings").await.ok();
    assert_eq!(
        sent,
        json!({ "versionInfoCollectionEnabled": false, "featureInfoCollectionEnabled": false })
    );
}
