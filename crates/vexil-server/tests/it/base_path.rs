//! Serving below a base path.

use actix_web::http::Method;
use actix_web::web::Data;
use actix_web::{App as ActixApp, test};
use vexil_server::{Slashes, all_routes, configure};

use crate::support::{ADMIN, TestServer, ask};

#[actix_web::test]
async fn below_a_base_path_every_route_answers_as_without_one() {
    let server = TestServer::new();
    let plain = server.service().await;
    for base in ["/flags", "/a/b.c"] {
        let below = test::init_service(
            ActixApp::new()
                .app_data(Data::new(server.app().clone()))
                .wrap(Slashes)
                .configure(|config| configure(base, config)),
        )
        .await;
        for route in all_routes().iter().filter(|route| route.method == Method::GET) {
            let path = route.path.replace(['{', '}'], "").replace(":.*", "");
            let headers = [("authorization", ADMIN)];
            let without = ask(&plain, Method::GET, &path, &headers, Vec::new()).await;
            // a slash at the end is passed over, also that of the base path itself
            for end in ["", "/"] {
                let asked = format!("{base}{}{end}", path.trim_end_matches('/'));
                let answer = ask(&below, Method::GET, &asked, &headers, Vec::new()).await;
                assert_eq!(answer.status, without.status, "{asked}");
                let place = without.header("location").map(|place| format!("{base}{place}"));
                assert_eq!(answer.header("location"), place.as_deref(), "{asked}");
            }
        }
        for outside in ["/", "/health", "/flag", "/flagsx/health"] {
            let answer = ask(&below, Method::GET, outside, &[], Vec::new()).await;
            assert_eq!(answer.status, 404, "{outside}");
            assert_eq!(answer.json()["name"], "NotFoundError");
        }
    }
    let front = ask(&plain, Method::GET, "/", &[], Vec::new()).await;
    assert_eq!((front.status, front.header("location")), (302, Some("/ui")));
}
