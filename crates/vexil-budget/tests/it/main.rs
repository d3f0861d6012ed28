//! What a budget lets happen.

use vexil_budget::{Budget, Exhausted, Reason, Stop};

fn work(needed: u64, left: u64, limit: u64) -> Result<(), Exhausted> {
    Err(Exhausted::Work { needed, left, limit })
}

#[test]
fn what_is_refused_costs_nothing() {
    let budget = Budget::new(5);
    assert_eq!(budget.spend(3), Ok(()));
    assert_eq!(budget.spend(3), work(3, 2, 5));
    assert_eq!(budget.spend(2), Ok(()));
    assert_eq!((budget.left(), budget.spent()), (0, 5));
    assert_eq!(budget.spend(0), Ok(()));
}

#[test]
fn a_product_beyond_counting_is_more_than_is_left() {
    let budget = Budget::unlimited();
    let large = usize::MAX / 2;
    assert_eq!(
        budget.spend_product(&[large, large, large]),
        work(u64::MAX, u64::MAX, u64::MAX)
    );
    assert_eq!(budget.spend_product(&[large, 0, large]), Ok(()));
    assert_eq!(budget.spend_product(&[]), Ok(()));
    assert_eq!(budget.spent(), 1);
}

#[test]
fn a_flag_that_is_set_stops_every_payment_with_the_first_reason() {
    let stop = Stop::default();
    let budget = Budget::stopped_by(5, stop.clone());
    assert_eq!(budget.check(), Ok(()));
    stop.set(Reason::Cancelled);
    stop.set(Reason::Late);
    assert_eq!(budget.check(), Err(Exhausted::Cancelled));
    assert_eq!(budget.spend(0), Err(Exhausted::Cancelled));
    assert_eq!(budget.spend_product(&[9, 9]), Err(Exhausted::Cancelled));
    assert_eq!(budget.left(), 5);
}

#[test]
fn threads_spend_from_one_budget_and_never_too_much() {
    let budget = Budget::new(1000);
    let paid: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..400).filter(|_| budget.spend(1).is_ok()).count()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((paid, budget.left()), (1000, 0));
}
