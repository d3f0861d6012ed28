//! All routes of a server, put together once for each thread: that takes longer than most answers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_http::Request;
use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceResponse, always_ready};
use actix_web::web::Data;
use actix_web::{App as ActixApp, Error, test};
use vexil_server::{Slashes, configure};
use vexil_service::App;

thread_local! {
    static BUILT: RefCell<HashMap<u64, Served>> = RefCell::default();
}

type Answering = Pin<Box<dyn Future<Output = Result<ServiceResponse<BoxBody>, Error>>>>;

/// What answers the requests of one server, on one thread.
#[derive(Clone)]
pub struct Served(Rc<dyn Fn(Request) -> Answering>);

impl Service<Request> for Served {
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = Answering;

    always_ready!();

    fn call(&self, request: Request) -> Answering {
        (self.0)(request)
    }
}

/// Under which number a server is known; what was put together for it goes with it.
pub struct Built(u64);

impl Default for Built {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Built {
    pub async fn service(&self, app: &App) -> Served {
        let known = BUILT.with_borrow(|built| built.get(&self.0).cloned());
        if let Some(known) = known {
            return known;
        }
        let new = served(app).await;
        BUILT.with_borrow_mut(|built| built.insert(self.0, new.clone()));
        new
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // taken out before it is dropped, as that may drop others; where the thread ends, all are gone
        let gone = BUILT.try_with(|built| built.borrow_mut().remove(&self.0));
        drop(gone);
    }
}

impl fmt::Debug for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Built").field(&self.0).finish()
    }
}

async fn served(app: &App) -> Served {
    let service = test::init_service(
        ActixApp::new()
            .app_data(Data::new(app.clone()))
            .wrap(Slashes)
            .configure(|config| configure("", config)),
    );
    let service = Rc::new(service.await);
    Served(Rc::new(move |request| {
        let service = Rc::clone(&service);
        Box::pin(async move {
            let answer = service.call(request).await?;
            Ok(answer.map_into_boxed_body())
        })
    }))
}
