//! Paths with slashes too many: at the end, or several in a row.

use std::future::{Ready, ready};
use std::rc::Rc;

use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready};
use actix_web::middleware::{NormalizePath, TrailingSlash};

/// Reads paths with slashes too many, at the end or several in a row, without them. [`NormalizePath`] does, and searches each
/// path with a regular expression; nearly no path has any.
#[derive(Debug, Clone, Copy, Default)]
pub struct Slashes;

impl<S, B> Transform<S, ServiceRequest> for Slashes
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = actix_web::Error>,
    S::Future: 'static,
{
    type Response = ServiceResponse<B>;
    type Error = actix_web::Error;
    type Transform = WithoutSlashes<S, <NormalizePath as Transform<Rc<S>, ServiceRequest>>::Transform>;
    type InitError = ();
    type Future = Ready<Result<Self::Transform, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        let plain = Rc::new(service);
        let made = NormalizePath::new(TrailingSlash::Trim).new_transform(Rc::clone(&plain));
        ready(
            made.into_inner()
                .map(|normalising| WithoutSlashes { plain, normalising }),
        )
    }
}

/// A service behind [`Slashes`].
#[derive(Debug)]
pub struct WithoutSlashes<S, N> {
    plain: Rc<S>,
    normalising: N,
}

impl<S, N, B> Service<ServiceRequest> for WithoutSlashes<S, N>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = actix_web::Error>,
    N: Service<ServiceRequest, Response = ServiceResponse<B>, Error = actix_web::Error, Future = S::Future>,
{
    type Response = ServiceResponse<B>;
    type Error = actix_web::Error;
    type Future = S::Future;

    forward_ready!(plain);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        let path = request.path();
        if path.ends_with('/') || path.contains("//") {
            self.normalising.call(request)
        } else {
            self.plain.call(request)
        }
    }
}
