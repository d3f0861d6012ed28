//! Explanations for people.

use std::fmt::{self, Display, Formatter};

use crate::{
    ConstraintExplanation, Decider, Draw, Evaluation, Explanation, Finding, Found, ParentExplanation,
    ParentFinding, Pick, PickedBy, Rollout, Rule, SegmentExplanation, StrategyExplanation, VariantOutcome,
    Verdict,
};

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let state = if self.enabled { "on" } else { "off" };
        writeln!(f, "{} is {state}: {}", self.flag, self.decider())?;
        for parent in &self.parents {
            writeln!(f, "  {parent}")?;
        }
        for (index, strategy) in self.strategies.iter().enumerate() {
            writeln!(f, "  strategy {index} ({}) {strategy}", strategy.strategy)?;
        }
        let name = self.variant_name.as_deref().unwrap_or_default();
        match self.variant {
            VariantOutcome::Disabled => write!(f, "  no variant"),
            VariantOutcome::OfStrategy { strategy, .. } => {
                write!(f, "  variant `{name}` of strategy {strategy}")
            }
            VariantOutcome::OfFlag { .. } => write!(f, "  variant `{name}` of the flag"),
        }?;
        match &self.flag_variants {
            Some(pick) if matches!(self.variant, VariantOutcome::OfFlag { .. }) => write!(f, ": {}", pick.by),
            _ => Ok(()),
        }
    }
}

impl Display for Decider {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch => f.write_str("the switch decides"),
            Self::OnlyDisabledStrategies => f.write_str("all its strategies are disabled"),
            Self::Parent(parent) => write!(f, "parent {parent} is not as needed"),
            Self::Strategy(strategy) => write!(f, "strategy {strategy} holds"),
            Self::NoStrategyHolds => f.write_str("no strategy holds"),
        }
    }
}

impl Display for ParentExplanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let satisfied = if self.satisfied {
            "satisfied"
        } else {
            "not satisfied"
        };
        write!(f, "parent {} {satisfied}: ", self.parent)?;
        match &self.finding {
            ParentFinding::Missing => f.write_str("no such flag"),
            ParentFinding::HasParents => f.write_str("it has parents itself"),
            ParentFinding::Off => f.write_str("it is off"),
            ParentFinding::On { variant } => write!(f, "it is on with variant {variant}"),
        }
    }
}

impl Display for StrategyExplanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.evaluation, self.verdict) {
            (Evaluation::Unevaluated, _) => f.write_str("is disabled")?,
            (_, Verdict::True) => f.write_str("holds")?,
            (_, Verdict::False) => f.write_str("does not hold")?,
            (_, Verdict::Unknown) => f.write_str("cannot be evaluated here")?,
        }
        write!(f, ": {}", self.rule)?;
        for constraint in &self.constraints {
            write!(f, "\n    {constraint}")?;
        }
        for segment in &self.segments {
            write!(f, "\n    {segment}")?;
        }
        match &self.variants {
            Some(pick) => write!(f, "\n    {pick}"),
            None => Ok(()),
        }
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let listed = |holds: bool| if holds { "is listed" } else { "is not listed" };
        match self {
            Self::Always => f.write_str("for everybody"),
            Self::Rollout(rollout) => Display::fmt(rollout, f),
            Self::Listed {
                field,
                found: Some(found),
                holds,
            } => write!(f, "{field} `{found}` {}", listed(*holds)),
            Self::Listed {
                field, found: None, ..
            } => write!(f, "there is no {field}"),
            Self::Network { found: None, .. } => f.write_str("there is no remoteAddress"),
            Self::Network {
                found: Some(found),
                network: Some(network),
            } => write!(f, "remoteAddress `{found}` is in {network}"),
            Self::Network {
                found: Some(found),
                network: None,
            } => write!(f, "remoteAddress `{found}` is in no listed network"),
            Self::HostName { found, holds } => write!(f, "host `{found}` {}", listed(*holds)),
            Self::Custom {
                strategy,
                is_given,
                holds,
            } => {
                let says = if *holds { "lets in" } else { "does not let in" };
                let by = if *is_given {
                    "as its result was given"
                } else {
                    "as its function says"
                };
                write!(f, "the custom strategy `{strategy}` {says}, {by}")
            }
            Self::NotEvaluable { strategy } => write!(f, "strategy type `{strategy}` is not known here"),
            Self::Unusable { parameter } => write!(f, "parameter `{parameter}` is missing or no number"),
        }
    }
}

impl Display for Rollout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.bucket {
            Some(bucket) => write!(f, "bucket {bucket} of 100, rollout {}, ", self.bound)?,
            None => write!(f, "no bucket, rollout {}, ", self.bound)?,
        }
        write!(f, "group `{}`, {}", self.group, self.draw)
    }
}

impl Display for Draw {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { field, value } => write!(f, "by {field} `{value}`"),
            Self::Chance { missing } if missing.is_empty() => f.write_str("by chance"),
            Self::Chance { missing } => write!(f, "by chance, as there is no {}", missing.join(" nor ")),
            Self::Nothing { missing } => write!(f, "as there is no {}", missing.join(" nor ")),
        }
    }
}

impl Display for Pick {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.variant {
            Some(variant) => {
                let name = self.name.as_deref().unwrap_or_default();
                write!(f, "variant {variant} `{name}`: {}", self.by)
            }
            None => write!(f, "no variant: {}", self.by),
        }
    }
}

impl Display for PickedBy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Override { field, value } => write!(f, "{field} `{value}` is listed for it"),
            Self::Weight {
                draw,
                bucket,
                bound,
                total,
            } => write!(f, "bucket {bucket} of {total}, bound {bound}, {draw}"),
            Self::NoWeight => f.write_str("all weights are zero"),
        }
    }
}

impl Display for SegmentExplanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let state = match (self.found, self.holds) {
            (false, _) => "does not exist",
            (true, true) => "holds",
            (true, false) => "does not hold",
        };
        write!(f, "segment {} {state}", self.id)?;
        for constraint in &self.constraints {
            write!(f, "\n      {constraint}")?;
        }
        Ok(())
    }
}

impl Display for ConstraintExplanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let holds = if self.holds { "holds" } else { "does not hold" };
        let not = if self.inverted { "not " } else { "" };
        write!(f, "{not}{} {} {holds}: ", self.field, self.operator)?;
        match &self.found {
            Found::Missing => f.write_str("there is no value")?,
            Found::Value(value) => write!(f, "`{value}`")?,
            Found::Now(now) => write!(f, "the present, {now},")?,
        }
        match &self.finding {
            Finding::Listed { value } => write!(f, " fits `{value}`"),
            Finding::NotListed { values } => write!(f, " fits none of {values} values"),
            Finding::Compared { with, holds: true } => write!(f, " is so compared with `{with}`"),
            Finding::Compared { with, holds: false } => write!(f, " is not so compared with `{with}`"),
            Finding::Missing => Ok(()),
            Finding::Unreadable { expected } => write!(f, " is no {expected}"),
            Finding::Invalid(problem) => write!(f, "; {problem}"),
        }
    }
}
