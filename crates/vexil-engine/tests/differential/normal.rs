//! The same question without what some kinds are about: each part of a flag that is of one of them gives way to what it
//! comes to for the context that is asked.

use std::sync::Arc;

use regex::Regex;
use vexil_domain::{
    ActivationStrategy, Constraint, Context, EnvironmentFlag, EnvironmentSnapshot, FlagName, Operator,
    Segment, Stickiness, Variant,
};

use crate::case::Case;
use crate::kinds::{Kind, Kinds};
use crate::oracle::Oracle;

/// The case, with all that is of these kinds written otherwise.
pub(crate) fn of(case: &Case, kinds: &Kinds) -> Case {
    let oracle = Oracle::new(&case.snapshot, &case.context);
    let part = Part {
        oracle: &oracle,
        kinds,
        asked: &case.flag,
    };
    let flag = &case.snapshot.flags[&case.flag];
    let parents = flag
        .dependencies
        .iter()
        .filter_map(|one| case.snapshot.flags.get(&one.parent));
    let flags = std::iter::once(flag).chain(parents);
    let segments = case.snapshot.segments.iter();
    Case {
        snapshot: EnvironmentSnapshot {
            flags: flags
                .map(|flag| (flag.name.clone(), Arc::new(part.flag(flag))))
                .collect(),
            segments: segments
                .map(|(id, segment)| (*id, Arc::new(part.segment(segment))))
                .collect(),
        },
        flag: case.flag.clone(),
        context: context(&case.context, kinds),
    }
}

const STANDARD: [&str; 6] = [
    "userId",
    "sessionId",
    "remoteAddress",
    "environment",
    "appName",
    "currentTime",
];

fn context(context: &Context, kinds: &Kinds) -> Context {
    let among = kinds.has(Kind::AmongProperties);
    let empty = kinds.has(Kind::EmptyValue);
    let mut standard = STANDARD.map(|name| {
        let own = match name {
            "userId" => &context.user_id,
            "sessionId" => &context.session_id,
            "remoteAddress" => &context.remote_address,
            "environment" => &context.environment,
            "appName" => &context.app_name,
            _ => &context.current_time,
        };
        let own = own.clone().filter(|value| !empty || !value.is_empty());
        let other = context
            .properties
            .get(name)
            .filter(|value| among && !value.is_empty());
        match own {
            Some(value) if !value.is_empty() || other.is_none() => Some(value),
            _ => other.map(str::to_owned),
        }
    });
    let is_kept =
        |(name, value): &(&str, &str)| !(among && STANDARD.contains(name) || empty && value.is_empty());
    Context {
        user_id: standard[0].take(),
        session_id: standard[1].take(),
        remote_address: standard[2].take(),
        environment: standard[3].take(),
        app_name: standard[4].take(),
        current_time: standard[5].take(),
        properties: context.properties.iter().filter(is_kept).collect(),
    }
}

/// A constraint that holds for everybody or for nobody, in every engine.
fn constant(holds: bool) -> Constraint {
    let operator = if holds { Operator::NotIn } else { Operator::In };
    let mut constraint = Constraint::new("appName", operator);
    constraint.values.push("-nobody-".to_owned());
    constraint
}

/// One variant for everybody, if any.
fn variants(only: Option<&Variant>) -> Vec<Variant> {
    let only = only.map(|variant| Variant {
        weight: 1000,
        stickiness: Some(Stickiness::Default),
        overrides: Vec::new(),
        ..variant.clone()
    });
    only.into_iter().collect()
}

struct Part<'a> {
    oracle: &'a Oracle<'a>,
    kinds: &'a Kinds,
    asked: &'a FlagName,
}

impl Part<'_> {
    fn any(&self, of: &[(Kind, bool)]) -> bool {
        of.iter().any(|(kind, is)| *is && self.kinds.has(*kind))
    }

    fn flag(&self, flag: &EnvironmentFlag) -> EnvironmentFlag {
        let mut flag = flag.clone();
        let before = flag.clone();
        let settings = Arc::make_mut(&mut flag.settings);
        if self.any(&[(
            Kind::ParentVariants,
            flag.dependencies.iter().any(|one| !one.variants.is_empty()),
        )]) {
            settings.enabled &= flag.dependencies.iter().all(|one| self.oracle.parent(one));
            flag.dependencies.clear();
        }
        for strategy in &mut settings.strategies {
            self.strategy(&before, strategy);
        }
        let of_flag = &before.settings.variants;
        if self.any(&[
            (Kind::Weights, has_odd_weights(of_flag)),
            (Kind::ByAddress, self.is_by_address(of_flag, None)),
            (Kind::TimeStickiness, is_by_time(of_flag, None)),
            (Kind::NotAscii, self.has_other_hash(flag.name.as_str())),
            (Kind::Blanks, has_odd_overrides(of_flag)),
        ]) {
            settings.variants = variants(self.oracle.flag_variant(&before));
        }
        flag
    }

    fn segment(&self, segment: &Segment) -> Segment {
        let mut segment = segment.clone();
        segment
            .constraints
            .iter_mut()
            .for_each(|one| self.constraint(one));
        segment
    }

    fn strategy(&self, flag: &EnvironmentFlag, strategy: &mut ActivationStrategy) {
        let before = strategy.clone();
        strategy
            .constraints
            .iter_mut()
            .for_each(|one| self.constraint(one));
        let segments = &self.oracle.snapshot().segments;
        if self.any(&[(
            Kind::MissingSegment,
            before.segments.iter().any(|id| !segments.contains_key(id)),
        )]) {
            strategy.segments.clear();
            strategy.constraints.push(constant(false));
        }
        if self.has_odd_rule(flag, &before) {
            let holds = self.oracle.rule(flag, &before);
            "default".clone_into(&mut strategy.name);
            strategy.constraints.push(constant(holds));
        }
        if self.has_odd_variants(flag, &before) {
            strategy.variants = variants(self.oracle.own_variant(flag, &before));
            // of one variant, all of it: what decides must be said alike
            strategy
                .parameters
                .insert("stickiness".to_owned(), "default".to_owned());
            strategy.parameters.insert("groupId".to_owned(), "g".to_owned());
            if strategy.name != "default" {
                let holds = self.oracle.rule(flag, &before);
                "default".clone_into(&mut strategy.name);
                strategy.constraints.push(constant(holds));
            }
        }
    }

    fn has_odd_rule(&self, flag: &EnvironmentFlag, strategy: &ActivationStrategy) -> bool {
        let parameter = |name: &str| strategy.parameters.get(name).map(String::as_str);
        let is_older = strategy.name.starts_with("gradualRollout");
        let is_rollout = is_older || strategy.name == "flexibleRollout";
        let percentage = parameter(if is_older { "percentage" } else { "rollout" });
        let plain = Regex::new(r"^([0-9]{1,2}|100)$").unwrap();
        let group = parameter("groupId");
        let list = parameter(match &*strategy.name {
            "userWithId" => "userIds",
            "remoteAddress" => "IPs",
            "applicationHostname" => "hostNames",
            _ => "",
        });
        let list = list.unwrap_or_default();
        let sticky = parameter("stickiness");
        let texts = [group, sticky, Some(list)];
        let is_quoted = texts.into_iter().flatten().any(|text| text.contains(['"', '\\']));
        self.any(&[
            (
                Kind::Percentage,
                is_rollout && percentage.is_some_and(|text| !plain.is_match(text)),
            ),
            (Kind::EmptyStickiness, is_rollout && sticky == Some("")),
            (Kind::TimeStickiness, is_rollout && sticky == Some("currentTime")),
            (Kind::OlderGroup, is_older && group.is_none()),
            (Kind::MissingGroup, is_rollout && group.is_none()),
            (
                Kind::ParentGroup,
                is_rollout && group.is_none() && flag.name != *self.asked,
            ),
            (
                Kind::NotAscii,
                is_rollout && self.has_other_hash(group.unwrap_or(flag.name.as_str())),
            ),
            (Kind::Quotes, is_quoted),
            (
                Kind::Blanks,
                list.split(',')
                    .any(|item| item.trim().is_empty() || is_padded(item)),
            ),
            (
                Kind::Networks,
                strategy.name == "remoteAddress" && self.has_odd_networks("remoteAddress", list.split(',')),
            ),
        ])
    }

    fn has_odd_variants(&self, flag: &EnvironmentFlag, strategy: &ActivationStrategy) -> bool {
        let Some(first) = strategy.variants.first() else {
            return false;
        };
        let parameter = |name: &str| strategy.parameters.get(name).map(String::as_str);
        let (group, sticky) = (parameter("groupId"), parameter("stickiness"));
        let of_first = first.stickiness.as_ref().map(Stickiness::name);
        let stickiness = sticky.map(Stickiness::from_name);
        self.any(&[
            (Kind::Weights, has_odd_weights(&strategy.variants)),
            (Kind::VariantStickiness, of_first.is_some() && of_first != sticky),
            (Kind::EmptyStickiness, sticky == Some("")),
            (Kind::TimeStickiness, is_by_time(&strategy.variants, sticky)),
            (Kind::MissingGroup, group.is_none()),
            (Kind::ParentGroup, group.is_none() && flag.name != *self.asked),
            (
                Kind::NotAscii,
                self.has_other_hash(group.unwrap_or(flag.name.as_str())),
            ),
            (
                Kind::ByAddress,
                self.is_by_address(&strategy.variants, stickiness),
            ),
            (
                Kind::Overrides,
                strategy
                    .variants
                    .iter()
                    .any(|variant| !variant.overrides.is_empty()),
            ),
        ])
    }

    /// Whether the address stands for the user.
    fn is_by_address(&self, variants: &[Variant], stickiness: Option<Stickiness>) -> bool {
        let context = self.oracle.context();
        let of_first = variants.first().and_then(|first| first.stickiness.clone());
        let stickiness = stickiness.or(of_first).unwrap_or_default();
        stickiness == Stickiness::Default
            && context.get("userId").is_none()
            && context.get("sessionId").is_none()
            && context.get("remoteAddress").is_some()
    }

    /// Whether another hash comes of it where characters are not hashed as UTF-8.
    fn has_other_hash(&self, group: &str) -> bool {
        let context = self.oracle.context();
        let standard = STANDARD.into_iter().filter_map(|name| context.get(name));
        let mut values = standard.chain(context.properties.iter().map(|(_, value)| value));
        !group.is_ascii() || values.any(|value| !value.is_ascii())
    }

    fn has_odd_networks<'t>(&self, field: &str, entries: impl Iterator<Item = &'t str>) -> bool {
        let plain = Regex::new(
            r"^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.|$|/)){4}([0-9]|[12][0-9]|3[0-2])?$",
        )
        .unwrap();
        let value = self.oracle.context().get(field);
        let is_odd = |entry: &str| !plain.is_match(entry) || entry.ends_with('/');
        value.is_some_and(|value| is_odd(value) || value.contains('/')) || entries.map(str::trim).any(is_odd)
    }

    fn constraint(&self, constraint: &mut Constraint) {
        if self.is_odd(constraint) {
            *constraint = constant(self.oracle.constraint(constraint));
        }
    }

    fn is_odd(&self, constraint: &Constraint) -> bool {
        let operator = &constraint.operator;
        let value = self.oracle.context().get(&constraint.context_name);
        let wanted = constraint.value.as_deref();
        let both = || wanted.into_iter().chain(value);
        let is_spelt = |form: &str| {
            let form = Regex::new(form).unwrap();
            both().all(|text| form.is_match(text))
        };
        let name = operator.name();
        let (numbers, dates, versions) = (
            name.starts_with("NUM_"),
            name.starts_with("DATE_"),
            name.starts_with("SEMVER_"),
        );
        let values = || constraint.values.iter().map(String::as_str);
        let texts = || values().chain(wanted).chain([constraint.context_name.as_str()]);
        let is_read = vexil_values::read(constraint, |_| {}).is_some();
        let lists = operator.takes_values();
        self.any(&[
            (Kind::Unreadable, !is_read),
            (
                Kind::Blanks,
                lists && values().any(|entry| is_padded(entry) || entry.is_empty()),
            ),
            (
                Kind::EmptyList,
                lists && values().all(|entry| entry.trim().is_empty()),
            ),
            (
                Kind::Numbers,
                numbers && !is_spelt(r"^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?$"),
            ),
            (Kind::Dates, dates && !is_spelt(DATE)),
            (
                Kind::NoTime,
                !dates && constraint.context_name == "currentTime" && value.is_none(),
            ),
            (Kind::DateField, dates && constraint.context_name != "currentTime"),
            (Kind::Versions, versions && !is_spelt(VERSION)),
            (
                Kind::Patterns,
                *operator == Operator::Regex
                    && wanted.is_some_and(|text| !text.chars().all(char::is_alphanumeric)),
            ),
            (
                Kind::Networks,
                *operator == Operator::InCidr && self.has_odd_networks(&constraint.context_name, values()),
            ),
            (Kind::Quotes, texts().any(|text| text.contains(['"', '\\']))),
            (
                Kind::Case,
                constraint.is_case_insensitive() && texts().chain(value).any(|text| !text.is_ascii()),
            ),
        ])
    }
}

const DATE: &str = r"^[1-9][0-9]{3}-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{3})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$";
const VERSION: &str = r"^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(-[a-z]+(\.(0|[1-9][0-9]{0,8}))?)?(\+[a-z0-9]+)?$";

/// Whether some engine takes a part of a text's ends for blanks.
fn is_padded(text: &str) -> bool {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    text.starts_with(is_blank) || text.ends_with(is_blank)
}

/// Whether the time stands for the user.
fn is_by_time(variants: &[Variant], of_strategy: Option<&str>) -> bool {
    let of_first = variants.first().and_then(|first| first.stickiness.as_ref());
    of_strategy == Some("currentTime") || of_first.is_some_and(|one| one.name() == "currentTime")
}

fn has_odd_weights(variants: &[Variant]) -> bool {
    let total: u64 = variants.iter().map(|variant| u64::from(variant.weight)).sum();
    !variants.is_empty() && (total == 0 || total > i32::MAX as u64)
}

fn has_odd_overrides(variants: &[Variant]) -> bool {
    let mut values = variants
        .iter()
        .flat_map(|variant| &variant.overrides)
        .flat_map(|one| &one.values);
    values.any(|value| value.is_empty())
}
