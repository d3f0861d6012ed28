//! `Debug` for what holds secrets, or too much to be shown: its name and no more.

/// Implements `Debug` for a type by its name alone.
macro_rules! opaque {
    ($name:ident $(<$($life:lifetime),+>)?) => {
        impl std::fmt::Debug for $name $(<$($life),+>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
