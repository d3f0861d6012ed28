//! All flags, one flag, the older name of the API, and from which pages it may be used.

use vexil_service::FrontEndOptions;

use super::*;

fn server() -> TestServer {
    let server = TestServer::new();
    put_flag(&server, "on", |flag| {
        on(flag, vec![for_values("userId", &["7"])]);
        flag.impression_data = true;
    });
    put_flag(&server, "off", |_| {});
    put_flag(&server, "theirs", |flag| flag.project = "other".into());
    server
}

fn off(name: &str) -> Value {
    let variant =
        json!({ "name": "disabled", "enabled": false, "feature_enabled": false, "featureEnabled": false });
    json!({ "name": name, "enabled": false, "variant": variant, "impressionData": false })
}

#[actix_web::test]
async fn all_flags_are_told_on_or_off_and_one_as_it_is_among_them() {
    let server = server();
    let ask = async |method: Method, path: String, body: Option<&Value>| {
        server.call(FRONTEND, method, &path, body).await
    };
    let context = json!({ "context": { "userId": "7" } });
    for base in ["/api/frontend", "/api/proxy"] {
        let all = ask(Method::GET, format!("{base}/all?userId=7"), None).await.ok();
        let toggles = all["toggles"].as_array().unwrap();
        assert_eq!(toggles.len(), 2);
        assert_eq!(toggles[0], off("off"));
        assert_eq!(toggles[1]["variant"]["feature_enabled"], true);
        assert_eq!(
            ask(Method::POST, format!("{base}/all"), Some(&context))
                .await
                .ok(),
            all
        );
        let on = ask(Method::GET, format!("{base}?userId=7"), None).await.ok();
        assert_eq!(on["toggles"], json!([toggles[1]]));
        assert_eq!(ask(Method::POST, base.to_owned(), Some(&context)).await.ok(), on);
        for one in toggles {
            let name = one["name"].as_str().unwrap();
            let path = format!("{base}/features/{name}");
            assert_eq!(
                &ask(Method::GET, format!("{path}?userId=7"), None).await.ok(),
                one
            );
            assert_eq!(&ask(Method::POST, path, Some(&context)).await.ok(), one);
        }
        for name in ["theirs", "nope"] {
            let missing = ask(Method::GET, format!("{base}/features/{name}"), None).await;
            missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
        }
        let report = json!({ "appName": "a", "bucket": { "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": {} } });
        assert_eq!(
            ask(Method::POST, format!("{base}/client/metrics"), Some(&report))
                .await
                .status,
            200
        );
        let registration = json!({ "appName": "a", "strategies": [], "started": 1, "interval": 1 });
        let registered = ask(
            Method::POST,
            format!("{base}/client/register"),
            Some(&registration),
        )
        .await;
        assert_eq!(registered.status, 200);
    }
}

#[actix_web::test]
async fn pages_may_ask_from_where_the_operator_lets_them() {
    let server = server();
    let origin = async |server: &TestServer, method: Method, from: &str| {
        let headers = [("authorization", FRONTEND), ("origin", from)];
        let answer = server.send(method, "/api/proxy", &headers, "").await;
        let mut headers = answer.headers.iter();
        assert!(headers.any(|(name, value)| name == "vary" && value.contains("Origin")));
        answer.header("access-control-allow-origin").map(str::to_owned)
    };
    let any = Some("*".to_owned());
    assert_eq!(origin(&server, Method::GET, "https://x.example").await, any);
    let options = FrontEndOptions::new(&["https://shop.example.com".to_owned()], 60).unwrap();
    let narrowed = server.clone();
    let narrowed = narrowed.with_app(server.app().clone().with_front_ends(options));
    for method in [Method::GET, Method::OPTIONS] {
        let shop = "https://shop.example.com";
        assert_eq!(
            origin(&narrowed, method.clone(), shop).await.as_deref(),
            Some(shop)
        );
        assert_eq!(origin(&narrowed, method, "https://x.example").await, None);
    }
}

#[actix_web::test]
async fn the_address_of_the_user_is_read_in_every_notation() {
    let server = TestServer::new();
    put_flag(&server, "ip", |flag| {
        let mut strategy = ActivationStrategy::new("ip", "remoteAddress");
        strategy
            .parameters
            .insert("IPs".to_owned(), "203.0.113.0/24,2001:db8::/32".to_owned());
        on(flag, vec![strategy]);
    });
    for (header, value) in [
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-for", "203.0.113.9:51008"),
        ("x-forwarded-for", "[2001:db8::1]:443"),
        ("x-forwarded-for", "\"203.0.113.9\""),
        ("x-forwarded-for", "unknown, 203.0.113.9"),
        (
            "forwarded",
            "for=\"[2001:db8::1]:4711\";proto=https, for=10.0.0.1",
        ),
    ] {
        for path in [FRONTEND_PATH, "/api/proxy"] {
            let headers = [("authorization", FRONTEND), (header, value)];
            let answer = server.send(Method::GET, path, &headers, "").await;
            assert_eq!(names(&answer), ["ip"], "{header}: {value}");
        }
    }
}
