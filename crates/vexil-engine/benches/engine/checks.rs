//! One check at a time, for a thousand users in turn: by name, by handle, variants, whole requests.

use std::hint::black_box;

use time::OffsetDateTime;
use unleash_yggdrasil::EngineState;
use vexil_domain::Context;
use vexil_engine::{Ambient, Choice, Engine};

use crate::floor;
use crate::measure::{Samples, alone, divided, each, mean, report, report_alone, versus};
use crate::state::{self, TWENTY, twenty_of};
use crate::users::{USERS, Users, order};

const SAMPLES: usize = 15;
const ALL: [&str; 8] = [
    "none", "default", "rollout", "in10", "in1000", "in100000", "5c1seg", "10strat",
];

struct Bench<'a> {
    ours: &'a Engine,
    theirs: &'a EngineState,
    users: &'a Users,
    ambient: Ambient<'a>,
}

pub(crate) fn run() {
    let json = state::scenarios().to_string();
    let (ours, theirs) = (state::ours(json.as_bytes()), state::theirs(json.as_bytes()));
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    for properties in [8, 30] {
        println!("\n## a thousand users with {properties} properties");
        let users = Users::with(properties);
        let bench = Bench {
            ours: &ours,
            theirs: &theirs,
            users: &users,
            ambient,
        };
        bench.agree();
        bench.checks();
        bench.variants();
        bench.floor();
        floor::run(&ours, &users, &ambient);
    }
}

impl Bench<'_> {
    /// Both engines give every user the same, so that like is compared with like.
    fn agree(&self) {
        for name in ALL {
            let mut on = 0;
            for (user, their_user) in self.users.ours.iter().zip(&self.users.theirs) {
                let ours = self.ours.is_enabled(name, user, &self.ambient);
                assert_eq!(
                    ours,
                    self.theirs.is_enabled(name, their_user, &None),
                    "{name} {user:?}"
                );
                on += usize::from(ours);
                let name = format!("{name}-variant");
                let choice = self.ours.variant(&name, user, &self.ambient);
                let their_choice = self.theirs.get_variant(&name, their_user, &None);
                assert_eq!(choice.name, their_choice.name, "{name} {user:?}");
            }
            println!("{name:<34} on for {on} of {USERS}");
        }
    }

    fn rows(&self, what: &str, ours: impl Fn(&str, usize) -> bool) {
        println!("{what}");
        let ratios = ALL.map(|name| {
            let theirs = |user: usize| {
                self.theirs
                    .is_enabled(black_box(name), black_box(&self.users.theirs[user]), &None)
            };
            report(name, &every_user(|user| ours(name, user), theirs))
        });
        mean(&ratios);
    }

    fn checks(&self) {
        let user = |user: usize| black_box(&self.users.ours[user]);
        self.rows("on or off by name, as it comes", |name, at| {
            self.ours.is_enabled(black_box(name), user(at), &self.ambient)
        });
        let ids = ALL.map(|name| self.ours.flag(name).unwrap());
        let id = |name: &str| black_box(ids[ALL.iter().position(|known| *known == name).unwrap()]);
        // the handle is looked up outside of the loop, as an application does
        println!("on or off by handle, as it comes");
        for name in ALL {
            let id = id(name);
            let ours = |at: usize| self.ours.is_enabled_by(black_box(id), user(at), &self.ambient);
            report(name, &every_user(ours, |at| self.theirs_on(name, at)));
        }
        self.twenty();
    }

    /// What a request asks that wants twenty flags of a kind: the context is prepared once, and that counts.
    fn twenty(&self) {
        println!("twenty flags by name, preparing included");
        let names = ALL.map(twenty_of);
        for (name, twenty) in ALL.iter().zip(&names) {
            let ours = |at: usize| {
                let prepared = self.ours.prepare(black_box(&self.users.ours[at]), &self.ambient);
                twenty
                    .iter()
                    .filter(|name| prepared.is_enabled(black_box(name)))
                    .count()
            };
            report(
                name,
                &each(every_user(ours, |at| self.their_count(twenty, at)), TWENTY),
            );
        }
        println!("twenty flags by handle, preparing included");
        for (name, twenty) in ALL.iter().zip(&names) {
            let ids: Vec<_> = twenty.iter().map(|name| self.ours.flag(name).unwrap()).collect();
            let ours = |at: usize| {
                let prepared = self.ours.prepare(black_box(&self.users.ours[at]), &self.ambient);
                ids.iter()
                    .filter(|id| prepared.is_enabled_by(black_box(**id)))
                    .count()
            };
            report(
                name,
                &each(every_user(ours, |at| self.their_count(twenty, at)), TWENTY),
            );
        }
    }

    fn their_count(&self, names: &[String], at: usize) -> usize {
        let user = black_box(&self.users.theirs[at]);
        names
            .iter()
            .filter(|name| self.theirs.is_enabled(black_box(name), user, &None))
            .count()
    }

    /// What no engine can do without: reading the user's value for each user in turn; and what the same checks take for one
    /// user again and again, where everything lies near and each branch is known.
    fn floor(&self) {
        println!("floor");
        let order = order();
        let users = &self.users.ours;
        let read = |what: &str, read: &dyn Fn(&Context) -> usize| {
            let work = || {
                order
                    .iter()
                    .map(|user| black_box(read(black_box(&users[*user]))))
                    .sum::<usize>()
            };
            report_alone(what, &divided(alone(SAMPLES, work), order.len()));
        };
        read("reading where the id lies", &|user| {
            user.user_id.as_deref().map_or(0, str::len)
        });
        read("reading the id", &|user| {
            let id = user.user_id.as_deref().unwrap_or_default().bytes();
            id.map(usize::from).sum()
        });
        read("finding a property", &|user| {
            user.properties.get(black_box("country")).map_or(0, str::len)
        });
        for name in ALL {
            let id = self.ours.flag(name).unwrap();
            let user = &users[7];
            let work = || {
                let check = || {
                    self.ours
                        .is_enabled_by(black_box(id), black_box(user), &self.ambient)
                };
                order.iter().filter(|_| black_box(check())).count()
            };
            let samples = divided(alone(SAMPLES, work), order.len());
            report_alone(&format!("one user by handle: {name}"), &samples);
        }
    }

    fn theirs_on(&self, name: &str, at: usize) -> bool {
        self.theirs
            .is_enabled(black_box(name), black_box(&self.users.theirs[at]), &None)
    }

    fn variant_rows<T>(&self, what: &str, ours: impl Fn(&str, &Context) -> T) {
        println!("{what}");
        let ratios = ALL.map(|name| {
            let name = format!("{name}-variant");
            let theirs = |at: usize| {
                self.theirs
                    .get_variant(black_box(&name), black_box(&self.users.theirs[at]), &None)
            };
            let ours = |at: usize| ours(black_box(&name), black_box(&self.users.ours[at]));
            report(&name, &every_user(ours, theirs))
        });
        mean(&ratios);
    }

    fn variants(&self) {
        let engine = self.ours;
        self.variant_rows("variant by name, as it comes", |name, user| {
            black_box(engine.variant(name, user, &self.ambient)).enabled
        });
        self.variant_rows(
            "variant by name, as it comes, name and payload copied",
            |name, user| copied(engine.variant(name, user, &self.ambient)),
        );
        self.variant_rows("variant by name, as it comes, kept", |name, user| {
            engine.variant(name, user, &self.ambient).into_owned()
        });
    }
}

/// The answer as a caller keeps it, after the engine is gone.
fn copied(choice: Choice<'_>) -> (String, Option<vexil_domain::Payload>, bool) {
    (choice.name.to_owned(), choice.payload.cloned(), choice.enabled)
}

/// Nanoseconds for one user, when all have their turns.
fn every_user<A, B>(
    mut ours: impl FnMut(usize) -> A,
    mut theirs: impl FnMut(usize) -> B,
) -> (Samples, Samples) {
    let order = order();
    let both = versus(
        SAMPLES,
        || order.iter().for_each(|user| drop(black_box(ours(*user)))),
        || order.iter().for_each(|user| drop(black_box(theirs(*user)))),
    );
    each(both, order.len())
}
