//! What may be sent to other threads, and shared with them.

use vexil_engine::{
    Ambient, Builder, Choice, Context, CustomResults, CustomStrategies, Engine, Explanation, FlagId,
    FlagInfo, OwnedChoice, Prepared, Probe, Tally, Update, Verdicts, Warning,
};

fn crosses_threads<T: Send + Sync>() {}

#[test]
fn engines_and_answers_are_sent_to_threads_and_shared_with_them() {
    crosses_threads::<Engine>();
    crosses_threads::<Builder>();
    crosses_threads::<Update>();
    crosses_threads::<Context>();
    crosses_threads::<Ambient<'_>>();
    crosses_threads::<FlagId>();
    crosses_threads::<FlagInfo<'_>>();
    crosses_threads::<Choice<'_>>();
    crosses_threads::<OwnedChoice>();
    crosses_threads::<CustomResults>();
    crosses_threads::<CustomStrategies>();
    crosses_threads::<Explanation>();
    crosses_threads::<Tally>();
    crosses_threads::<Verdicts>();
    crosses_threads::<Warning>();
    crosses_threads::<Probe<'_>>();
    // what is looked up for one caller is kept without locks
    fn is_sent<T: Send>() {}
    is_sent::<Prepared<'_>>();
}
