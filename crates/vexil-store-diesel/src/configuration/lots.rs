//! Rows that one thread reads while another makes values of those before them: a pipeline of two stages.

use std::mem::replace;
use std::panic::resume_unwind;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use crate::error::DbError;

/// So many rows are taken where they are read: fewer are not worth a thread, whose memory the allocator keeps apart.
const FEW: usize = 4_096;
/// How many rows are handed over at once: so many that handing over costs little beside reading them.
const LOT: usize = 256;
/// How many lots may wait. Rows have no bound in bytes, but all of them are kept once values are made of them.
const WAITING: usize = 4;

/// Calls `take` with each row that `read` reads, in order: the first few here, those behind them on a thread of their own.
///
/// Fails when either does, and when there is no thread to be had; `read` ends soon after `take` has failed.
pub(super) fn take_in_lots<R: Send>(
    read: impl FnOnce(&mut dyn FnMut(R) -> Result<(), DbError>) -> Result<(), DbError>,
    take: impl FnMut(R) -> Result<(), DbError> + Send,
) -> Result<(), DbError> {
    thread::scope(|scope| {
        let mut few = 0;
        let mut here = Some(take);
        let mut elsewhere: Option<(SyncSender<Vec<R>>, _)> = None;
        let mut lot = Vec::new();
        let outcome = read(&mut |row| {
            if let Some(take) = here.as_mut().filter(|_| few < FEW) {
                few += 1;
                return take(row);
            }
            if let Some(mut take) = here.take() {
                let (lots, waiting) = sync_channel::<Vec<R>>(WAITING);
                let taking = thread::Builder::new()
                    .name("loading".to_owned())
                    .spawn_scoped(scope, move || {
                        waiting.into_iter().flatten().try_for_each(&mut take)
                    })
                    .map_err(|error| DbError::Connect(error.into()))?;
                elsewhere = Some((lots, taking));
            }
            lot.push(row);
            match &elsewhere {
                Some((lots, _)) if lot.len() >= LOT => {
                    let full = replace(&mut lot, Vec::with_capacity(LOT));
                    lots.send(full)
                        .map_err(|_hung_up| DbError::Connect("what was read was refused".into()))
                }
                _ => Ok(()),
            }
        });
        let Some((lots, taking)) = elsewhere else {
            return outcome;
        };
        // where nobody takes it any more, the failure of whoever did tells why
        let _ = lots.send(lot);
        drop(lots);
        let taken = taking.join().unwrap_or_else(|panic| resume_unwind(panic));
        taken.and(outcome)
    })
}

#[cfg(test)]
mod tests {
    use super::{FEW, LOT, WAITING, take_in_lots};
    use crate::error::DbError;

    const MANY: usize = FEW + LOT * (WAITING + 3) + 7;

    #[test]
    fn rows_are_taken_in_order_and_all_of_them() {
        for count in [0, 1, FEW - 1, FEW, FEW + 1, FEW + LOT, FEW + LOT + 1, MANY] {
            let mut taken = Vec::new();
            let outcome = take_in_lots(
                |each| (0..count).try_for_each(each),
                |row: usize| {
                    taken.push(row);
                    Ok(())
                },
            );
            outcome.unwrap();
            assert!(taken.iter().copied().eq(0..count), "{count}");
        }
    }

    #[test]
    fn a_failure_of_either_side_is_told_as_it_is() {
        let broken = |what| DbError::Corrupt {
            what,
            source: "broken".into(),
        };
        let says = |outcome: Result<(), DbError>| match outcome {
            Err(DbError::Corrupt { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        for at in [0, FEW - 1, FEW, FEW + LOT, MANY - 1] {
            let mut read = 0;
            let outcome = take_in_lots(
                |each| {
                    (0..MANY * 100).try_for_each(|row| {
                        read += 1;
                        each(row)
                    })
                },
                |row| if row == at { Err(broken("a value")) } else { Ok(()) },
            );
            assert_eq!(says(outcome), "a value");
            assert!(read < MANY * 3, "{read} rows were read before it ended");
            let outcome = take_in_lots(
                |each| {
                    (0..at).try_for_each(each)?;
                    Err(broken("a row"))
                },
                |_: usize| Ok(()),
            );
            assert_eq!(says(outcome), "a row");
        }
    }
}
