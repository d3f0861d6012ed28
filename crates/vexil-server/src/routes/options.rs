//! `OPTIONS`, where no route answers it: what can be asked of a path (RFC 9110, section 9.3.7). It lets no page of another
//! origin ask, and tells what `docs/endpoints.md` tells everybody.

use actix_web::http::Method;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};

use super::{Route, request_id};

/// Answers with the methods of routes that have one path; `None` where one of them answers by itself.
pub(super) fn of(routes: &[Route]) -> Option<actix_web::Route> {
    if routes.iter().any(|route| route.method == Method::OPTIONS) {
        return None;
    }
    let allowed = HeaderValue::try_from(methods(routes)).ok()?;
    let answer = move |request: HttpRequest| {
        let mut answer = HttpResponse::NoContent()
            .insert_header((ALLOW, allowed.clone()))
            .finish();
        request_id::send_back(&request, answer.headers_mut());
        async move { answer }
    };
    Some(web::method(Method::OPTIONS).to(answer))
}

fn methods(routes: &[Route]) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for route in routes {
        methods.push(route.method.as_str());
        if route.method == Method::GET {
            methods.push(Method::HEAD.as_str());
        }
    }
    methods.push(Method::OPTIONS.as_str());
    methods.join(", ")
}
