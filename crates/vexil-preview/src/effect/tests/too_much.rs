//! Where conditions are too many to be told apart, that is said, and where they just are not, all is.

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, EnvironmentSnapshot, Operator};

use super::of_flag;
use super::sides::Sides;
use crate::effect::undecided::Reason;

/// A strategy each for so many texts that are looked for in a place.
fn each(count: usize, operator: &Operator) -> Vec<ActivationStrategy> {
    let strategy = |number: usize| {
        let mut strategy = ActivationStrategy::new("s", "default");
        let mut constraint = Constraint::new("name", operator.clone());
        constraint.values = vec![format!("<{number}>")];
        strategy.constraints = vec![constraint];
        strategy
    };
    (0..count).map(strategy).collect()
}

fn matched(patterns: impl IntoIterator<Item = String>) -> Vec<ActivationStrategy> {
    let strategy = |pattern: String| {
        let mut strategy = ActivationStrategy::new("s", "default");
        let mut constraint = Constraint::new("name", Operator::Regex);
        constraint.value = Some(pattern);
        strategy.constraints = vec![constraint];
        strategy
    };
    patterns.into_iter().map(strategy).collect()
}

/// Why it is not decided what these strategies do; `None` where it is.
fn left_open(strategies: Vec<ActivationStrategy>) -> Option<&'static str> {
    let sides = Sides::new((EnvironmentSnapshot::default(), of_flag(strategies)));
    let effect = sides
        .comparison()
        .effect(&["f".into()], &[], &Budget::unlimited());
    let undecided = effect.flags[0].undecided.first()?;
    Some(match &undecided.reason {
        Reason::TooManyTexts { .. } => "too many",
        Reason::TextsNotTold { .. } => "not told",
        reason => panic!("{reason}"),
    })
}

#[test]
fn more_combinations_of_texts_than_are_told_apart_are_not_passed_over() {
    let (start, inside, end) = (
        Operator::StrStartsWith,
        Operator::StrContains,
        Operator::StrEndsWith,
    );
    let all = |starts: usize, insides: usize, ends: usize| {
        [each(starts, &start), each(insides, &inside), each(ends, &end)].concat()
    };
    for (count, is_decided) in [
        ((0, 12, 0), true),
        ((0, 13, 0), false),
        ((7, 8, 7), true),
        ((10, 10, 10), false),
    ] {
        let (starts, insides, ends) = count;
        let alone = left_open(all(starts, insides, ends));
        assert_eq!(alone, (!is_decided).then_some("too many"), "{count:?}");
        let beside = left_open([all(starts, insides, ends), matched(["^x+y".to_owned()])].concat());
        assert_eq!(beside, (!is_decided).then_some("not told"), "{count:?}");
    }
}

#[test]
fn expressions_that_are_too_much_together_are_not_passed_over() {
    let numbered = |count: usize| matched((0..count).map(|number| format!("^{number}x+")));
    assert_eq!(left_open(numbered(256)), None);
    assert_eq!(left_open(numbered(257)), Some("not told"));
    // what may follow each of many letters is remembered
    assert_eq!(left_open(matched(["a[ab]{8}b".to_owned()])), None);
    assert_eq!(left_open(matched(["a[ab]{17}b".to_owned()])), Some("not told"));
    // and so are many places
    let long = |count: usize| matched((0..count).map(|number| format!("^[{number}y]{{900}}z")));
    assert_eq!(left_open(long(1)), None);
    assert_eq!(left_open(long(9)), Some("not told"));
}

/// As long as each test took a look at each entry of its list for each of its entries, this took minutes.
#[test]
fn long_lists_are_told_apart_in_a_time_that_grows_with_their_number() {
    const ENTRIES: usize = 10_000;
    let networks: Vec<String> = (0..ENTRIES)
        .map(|number| {
            format!(
                "10.{}.{}.{}/30",
                number >> 14,
                number >> 6 & 255,
                (number & 63) << 2
            )
        })
        .collect();
    let needles: Vec<String> = (0..ENTRIES).map(|number| format!("<{number:05}>")).collect();
    let upper: Vec<String> = (0..ENTRIES).map(|number| format!("N{number:05}E")).collect();
    let constraint = |field: &str, operator: Operator, values: &[String], ignore_case: bool| {
        let mut constraint = Constraint::new(field, operator);
        constraint.values = values.to_vec();
        constraint.case_insensitive = ignore_case.then_some(true);
        constraint
    };
    let of = |constraints: Vec<Constraint>| {
        let mut strategy = ActivationStrategy::new("s", "default");
        strategy.constraints = constraints;
        vec![strategy]
    };
    let mut addresses = ActivationStrategy::new("s", "remoteAddress");
    addresses.parameters = [("IPs".to_owned(), networks.join(","))].into_iter().collect();
    let lists = [
        vec![addresses],
        of(vec![constraint(
            "remoteAddress",
            Operator::InCidr,
            &networks,
            false,
        )]),
        of(vec![constraint("name", Operator::StrContains, &needles, false)]),
        of(vec![
            constraint("name", Operator::StrContains, &needles, false),
            constraint("name", Operator::StrContains, &upper, true),
        ]),
    ];
    for strategies in lists {
        let began = std::time::Instant::now();
        assert_eq!(left_open(strategies), None);
        // a debug build on a busy machine; with a look at each it is 10^8 of them and more
        assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    }
}
