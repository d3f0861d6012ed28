//! Generators that are made once: making one is far slower than drawing from it.

/// Makes a generator once for each thread, and gives copies of it.
macro_rules! memoized {
    ($value:ty, $make:block) => {{
        thread_local! {
            static KEPT: ::proptest::strategy::BoxedStrategy<$value> = $make;
        }
        KEPT.with(Clone::clone)
    }};
}
pub(crate) use memoized;
