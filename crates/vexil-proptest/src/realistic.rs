//! Flags as teams write them, and edits as teams make them: plain fields, each compared as its kind is, lists of
//! countries and tenants, rollouts, and one thing changed at a time.
//!
//! Drawn from a number, so that a benchmark has the same flags each time; beside the hostile values of the
//! other generators.

use std::sync::Arc;

use proptest::prelude::*;
use vexil_domain::{
    ActivationStrategy, Constraint, Dependency, EnvironmentFlag, EnvironmentSnapshot, FlagName, FlagSettings,
    Operator, Segment, SegmentId, Stickiness, Variant, WeightType,
};

/// How large flags may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The most activation strategies of a flag; one at least.
    pub strategies: usize,
    /// The most constraints of a strategy.
    pub constraints: usize,
    /// How many context fields there are, at most 16.
    pub fields: usize,
}

impl Shape {
    /// What most flags are like.
    pub const USUAL: Self = Self {
        strategies: 6,
        constraints: 5,
        fields: 6,
    };
}

/// An environment of up to three flags and two segments, before and after one edit.
pub fn arb_realistic_change(shape: Shape) -> BoxedStrategy<(EnvironmentSnapshot, EnvironmentSnapshot)> {
    any::<u64>()
        .prop_map(move |seed| realistic_change(shape, seed))
        .boxed()
}

/// The change of this number.
#[must_use]
pub fn realistic_change(shape: Shape, seed: u64) -> (EnvironmentSnapshot, EnvironmentSnapshot) {
    let mut draw = Draw { state: seed, shape };
    let mut before = EnvironmentSnapshot::default();
    for id in 1..=2 {
        let constraints = (0..=draw.below(2)).map(|_| draw.constraint()).collect();
        let segment = Segment::new(SegmentId(id), format!("segment-{id}"), constraints);
        before.segments.insert(segment.id, Arc::new(segment));
    }
    for name in ["checkout", "search", "banner"]
        .into_iter()
        .take(draw.below(3) + 1)
    {
        let flag = draw.flag(name);
        before.flags.insert(flag.name.clone(), Arc::new(flag));
    }
    if before.flags.len() > 1 && draw.one_in(4) {
        let dependency = Dependency {
            parent: "search".into(),
            enabled: !draw.one_in(4),
            variants: Vec::new(),
        };
        draw.edit(&mut before, "checkout", |flag, _| {
            flag.dependencies.push(dependency)
        });
    }
    let mut after = before.clone();
    if draw.one_in(8) {
        let constraint = draw.constraint();
        let segment = Segment::new(SegmentId(1), "segment-1", vec![constraint]);
        after.segments.insert(segment.id, Arc::new(segment));
    } else {
        draw.edit(&mut after, "checkout", |flag, draw| draw.change(flag));
    }
    (before, after)
}

/// What a field's values are.
#[derive(Clone, Copy)]
enum Kind {
    Word(&'static [&'static str]),
    Id(&'static str),
    Email,
    Version,
    Number(u64),
    Date,
    Address,
}

const COUNTRIES: &[&str] = &[
    "NO", "SE", "DK", "FI", "IS", "DE", "FR", "NL", "BE", "ES", "PT", "IT", "PL", "GB", "IE", "US", "CA",
    "BR", "JP", "AU",
];

const FIELDS: [(&str, Kind); 16] = [
    ("country", Kind::Word(COUNTRIES)),
    ("plan", Kind::Word(&["free", "pro", "team", "enterprise"])),
    ("appVersion", Kind::Version),
    ("email", Kind::Email),
    ("userId", Kind::Id("user")),
    ("age", Kind::Number(100)),
    ("remoteAddress", Kind::Address),
    ("signedUp", Kind::Date),
    ("role", Kind::Word(&["admin", "editor", "viewer", "guest"])),
    ("tenant", Kind::Id("tenant")),
    ("score", Kind::Number(10_000)),
    (
        "locale",
        Kind::Word(&["nb-NO", "nn-NO", "sv-SE", "en-GB", "en-US", "de-DE"]),
    ),
    ("device", Kind::Word(&["ios", "android", "web", "tv", "watch"])),
    ("currentTime", Kind::Date),
    ("build", Kind::Number(100_000)),
    (
        "region",
        Kind::Word(&["eu-north-1", "eu-west-1", "us-east-1", "us-west-2", "ap-south-1"]),
    ),
];

struct Draw {
    state: u64,
    shape: Shape,
}

impl Draw {
    /// A number below `bound`: `SplitMix64`.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % bound.max(1) as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        let place = self.below(all.len());
        all.get(place).copied().unwrap_or_default()
    }

    fn flag(&mut self, name: &str) -> EnvironmentFlag {
        let count = self.below(self.shape.strategies) + 1;
        let strategies = (0..count).map(|place| self.strategy(place)).collect();
        let variants = if self.one_in(6) {
            self.variants()
        } else {
            Vec::new()
        };
        EnvironmentFlag {
            settings: Arc::new(FlagSettings {
                enabled: !self.one_in(12),
                strategies,
                variants,
            }),
            ..EnvironmentFlag::new(FlagName::from(name), "default")
        }
    }

    fn strategy(&mut self, place: usize) -> ActivationStrategy {
        let id = format!("strategy-{place}");
        let mut strategy = match self.below(8) {
            0 => ActivationStrategy::new(id, "default"),
            1 => {
                let count = self.below(6) + 1;
                let users: Vec<String> = (0..count).map(|_| format!("user-{}", self.below(200))).collect();
                ActivationStrategy::new(id, "userWithId").with_parameter("userIds", users.join(","))
            }
            _ => {
                let stickiness = self.pick(&["default", "userId", "userId", "userId", "sessionId", "random"]);
                let percentage = self.percentage();
                ActivationStrategy::new(id, "flexibleRollout")
                    .with_parameter("rollout", percentage)
                    .with_parameter("stickiness", stickiness)
                    .with_parameter("groupId", "checkout")
            }
        };
        let count = self.below(self.shape.constraints + 1);
        strategy.constraints = (0..count).map(|_| self.constraint()).collect();
        if self.one_in(5) {
            strategy.segments = vec![SegmentId(self.below(2) as i64 + 1)];
        }
        if self.one_in(6) {
            strategy.variants = self.variants();
        }
        strategy.disabled = self.one_in(20);
        strategy
    }

    fn percentage(&mut self) -> String {
        let round = [100, 100, 50, 25, 10, 5, 1, 0];
        let place = self.below(round.len() * 2);
        let percentage = round.get(place).copied().unwrap_or_else(|| self.below(101));
        percentage.to_string()
    }

    fn variants(&mut self) -> Vec<Variant> {
        let count = self.below(3) + 2;
        let weight = 1000 / count as u32;
        let stickiness = self.pick(&["default", "userId", "userId", "random"]);
        let variant = |number: usize| Variant {
            name: ["control", "blue", "green", "red"]
                .get(number)
                .copied()
                .unwrap_or("more")
                .to_owned(),
            weight: if number == 0 {
                1000 - weight * (count as u32 - 1)
            } else {
                weight
            },
            weight_type: WeightType::default(),
            stickiness: Some(Stickiness::from_name(stickiness)),
            payload: None,
            overrides: Vec::new(),
        };
        (0..count).map(variant).collect()
    }

    fn constraint(&mut self) -> Constraint {
        use Operator::{
            DateAfter, DateBefore, In, InCidr, NotIn, NumEq, NumGt, NumGte, NumLt, NumLte, Regex, SemverEq,
            SemverGt, SemverGte, SemverLt, SemverLte, StrContains, StrEndsWith, StrStartsWith,
        };
        let place = self.below(self.shape.fields.clamp(1, FIELDS.len()));
        let Some((field, kind)) = FIELDS.get(place).copied() else {
            return Constraint::new("country", In);
        };
        let (operators, single): (&[Operator], bool) = match kind {
            Kind::Word(_) => (&[In, In, In, NotIn, NotIn, StrStartsWith], false),
            Kind::Id(_) => (&[In, In, NotIn, StrStartsWith], false),
            Kind::Email => match self.below(12) {
                0 => (&[Regex], true),
                _ => (&[StrEndsWith, StrEndsWith, StrContains, In], false),
            },
            Kind::Version => (&[SemverGt, SemverGte, SemverLt, SemverLte, SemverEq], true),
            Kind::Number(_) => (&[NumGt, NumGte, NumLt, NumLte, NumEq], true),
            Kind::Date => (&[DateAfter, DateBefore], true),
            Kind::Address => (&[InCidr], false),
        };
        let place = self.below(operators.len());
        let operator = operators.get(place).cloned().unwrap_or(In);
        let mut constraint = Constraint::new(field, operator.clone());
        constraint.inverted = Some(self.one_in(10));
        if matches!(operator, StrStartsWith | StrEndsWith | StrContains) {
            constraint.case_insensitive = Some(self.one_in(3));
        }
        if single {
            constraint.value = Some(self.value(kind, &operator));
        } else {
            let count = match self.below(8) {
                0 => self.below(40) + 1,
                _ => self.below(4) + 1,
            };
            constraint.values = (0..count).map(|_| self.value(kind, &operator)).collect();
        }
        constraint
    }

    fn value(&mut self, kind: Kind, operator: &Operator) -> String {
        let start = *operator == Operator::StrStartsWith;
        match kind {
            Kind::Word(all) if start => self.pick(all).chars().take(2).collect(),
            Kind::Word(all) => self.pick(all).to_owned(),
            Kind::Id(stem) if start => format!("{stem}-{}", self.below(10)),
            Kind::Id(stem) => format!("{stem}-{}", self.below(200)),
            Kind::Email => match operator {
                Operator::Regex => self
                    .pick(&[
                        r"^[a-z]+@example\.com$",
                        r"\+test@",
                        r"@(example|company)\.(com|no)$",
                        r"^qa-\d+@",
                    ])
                    .to_owned(),
                Operator::StrContains => self.pick(&["+test", "qa", "admin", "@example."]).to_owned(),
                Operator::In => format!("user{}@example.com", self.below(40)),
                _ => self
                    .pick(&["@example.com", "@company.no", ".edu", "@test.example.com"])
                    .to_owned(),
            },
            Kind::Version => format!("{}.{}.{}", self.below(4), self.below(10), self.below(3)),
            Kind::Number(most) => (self.below(most as usize / 5) * 5).to_string(),
            Kind::Date => format!(
                "2026-{:02}-{:02}T00:00:00Z",
                self.below(12) + 1,
                self.below(28) + 1
            ),
            Kind::Address => format!(
                "10.{}.{}.0/{}",
                self.below(4),
                self.below(256),
                16 + self.below(9)
            ),
        }
    }

    fn edit(
        &mut self,
        snapshot: &mut EnvironmentSnapshot,
        name: &str,
        work: impl FnOnce(&mut EnvironmentFlag, &mut Self),
    ) {
        if let Some(flag) = snapshot.flags.get_mut(name) {
            work(Arc::make_mut(flag), self);
        }
    }

    /// One edit of a flag.
    fn change(&mut self, flag: &mut EnvironmentFlag) {
        let settings = Arc::make_mut(&mut flag.settings);
        let place = self.below(settings.strategies.len());
        let what = self.below(12);
        if what == 0 {
            settings.enabled = !settings.enabled;
        } else if what == 1 {
            let strategy = self.strategy(settings.strategies.len());
            settings.strategies.insert(place, strategy);
        } else if what == 2 && settings.strategies.len() > 1 {
            settings.strategies.remove(place);
        } else if what == 3 {
            let other = self.below(settings.strategies.len());
            settings.strategies.swap(place, other);
        } else if what == 4 {
            settings.variants = self.variants();
        } else {
            let replaced = self.strategy(place);
            if let Some(strategy) = settings.strategies.get_mut(place) {
                self.change_strategy(strategy, replaced, what);
            }
        }
    }

    fn change_strategy(
        &mut self,
        strategy: &mut ActivationStrategy,
        replaced: ActivationStrategy,
        what: usize,
    ) {
        let place = self.below(strategy.constraints.len());
        match what {
            5 => strategy.disabled = !strategy.disabled,
            6 => strategy.variants = self.variants(),
            7 => strategy.constraints.push(self.constraint()),
            8 if !strategy.constraints.is_empty() => drop(strategy.constraints.remove(place)),
            9 | 10 if !strategy.constraints.is_empty() => {
                let constraint = self.constraint();
                if let Some(known) = strategy.constraints.get_mut(place) {
                    *known = constraint;
                }
            }
            11 => *strategy = replaced,
            _ => {
                let percentage = self.percentage();
                strategy.parameters.insert("rollout".to_owned(), percentage);
            }
        }
    }
}
