//! The words of the list of routes: who may call one, and which threads answer it.

macro_rules! access {
    ([$($permission:ident),+]) => {
        Access::Holds(&[$(vexil_access::Permission::$permission),+])
    };
    (Listening) => {
        Access::SignedIn
    };
    ($access:ident) => {
        Access::$access
    };
}

/// What SDKs and strangers ask is answered at once, and who listens holds no thread; the rest runs on the threads of a
/// lane.
macro_rules! route {
    (Open) => {
        Route::quick
    };
    (Client) => {
        Route::quick
    };
    (Frontend) => {
        Route::quick
    };
    (Listening) => {
        Route::quick
    };
    (AnySdk) => {
        Route::quick
    };
    ($administration:tt) => {
        Route::new
    };
}

pub(super) use {access, route};
