//! The words of the list of routes: what a list is, who may call a route, and which threads answer it.

/// A list of routes, in groups.
macro_rules! routes {
    ($($group:literal $(, $note:literal)? {
        $($method:ident $path:literal => $($handler:ident)::+, $access:tt, $summary:literal
            $(, asks [$($query:literal),+])?;)+
    })+) => {
        /// The groups of routes, each with what is to be known of it.
        pub(super) const GROUPS: &[(&str, &str)] = &[$(($group, concat!($($note)?))),+];

        /// Every route. Of two that fit a path, the earlier one answers.
        #[must_use]
        pub fn all() -> Vec<Route> {
            vec![$($(
                Route {
                    group: $group,
                    handler: stringify!($($handler)::+),
                    summary: $summary,
                    ..route!($access)(
                        Method::$method,
                        $path,
                        Admission { access: access!($access), queries: &[$($($query),+)?] },
                        $($handler)::+,
                    )
                }
            ),+),+]
        }
    };
}

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

pub(super) use {access, route, routes};
