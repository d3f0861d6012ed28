//! Evaluation entries: one flag in one environment, asked with one context.
//!
//! Most of an entry does not depend on the context. A template is made once for a flag and an
//! environment: finished JSON text with gaps, which each evaluation fills.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use vexil_domain::{ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, SegmentId};
use vexil_engine::{ConditionPlace, Evaluation, StrategyVerdict, VariantOutcome, Verdict, Verdicts};

use super::text::{Text, VariantTexts};

/// How the result of a single strategy is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultForm {
    /// As the documented interface says: a plain boolean when the strategy could be evaluated.
    Documented,
    /// As Unleash does it: always an object.
    Object,
}

impl ResultForm {
    /// The form of this name: `documented` or `object`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "documented" => Some(Self::Documented),
            "object" => Some(Self::Object),
            _ => None,
        }
    }
}

/// What only an evaluation can tell.
#[derive(Clone, Copy)]
enum Gap {
    IsEnabled,
    IsEnabledInEnvironment,
    HasUnsatisfiedDependency,
    Variant,
    Variants,
    StrategiesResult,
    StrategyResult(usize),
    /// A constraint or segment, by its place in [`Verdicts::conditions`].
    Condition(usize),
}

/// Writes the entries of one flag in one environment.
pub struct EntryWriter {
    head: Box<[u8]>,
    simple_head: Box<[u8]>,
    /// What stands behind the context, without what goes into the gaps.
    tail: Box<[u8]>,
    /// The gaps, each with its place in the tail.
    gaps: Box<[(usize, Gap)]>,
    strategies: Box<[StrategyTexts]>,
    flag_variants: VariantTexts,
}

impl fmt::Debug for EntryWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryWriter").finish_non_exhaustive()
    }
}

/// The texts that depend on which variant of a strategy was picked.
struct StrategyTexts {
    variants: VariantTexts,
    /// Whether any variant can be picked at all.
    weighs: bool,
}

impl EntryWriter {
    /// A writer for `flag` in `environment`; `segments` are looked up in `snapshot`.
    #[must_use]
    pub fn new(flag: &EnvironmentFlag, environment: &str, snapshot: &EnvironmentSnapshot) -> Self {
        let mut head = Text::default();
        head.raw("{\"name\":")
            .json(flag.name.as_str())
            .raw(",\"environment\":")
            .json(environment);
        head.raw(",\"projectId\":")
            .json(flag.project.as_str())
            .raw(",\"context\":");
        let mut simple_head = Text::default();
        simple_head.raw("{\"name\":").json(flag.name.as_str());
        simple_head.raw(",\"projectId\":").json(flag.project.as_str());
        let mut builder = Builder::new(flag, snapshot);
        builder.raw(",\"isEnabled\":").gap(Gap::IsEnabled);
        builder
            .raw(",\"isEnabledInCurrentEnvironment\":")
            .gap(Gap::IsEnabledInEnvironment);
        builder
            .raw(",\"hasUnsatisfiedDependency\":")
            .gap(Gap::HasUnsatisfiedDependency);
        builder
            .raw(",\"variant\":")
            .gap(Gap::Variant)
            .raw(",\"variants\":")
            .gap(Gap::Variants);
        builder
            .raw(",\"strategies\":{\"result\":")
            .gap(Gap::StrategiesResult)
            .raw(",\"data\":[");
        for (place, strategy) in flag.settings.strategies.iter().enumerate() {
            if place > 0 {
                builder.raw(",");
            }
            builder.strategy(place, strategy, flag, environment, snapshot);
        }
        builder.raw("]}}");
        Self {
            head: head.0.into(),
            simple_head: simple_head.0.into(),
            tail: builder.text.0.into(),
            gaps: builder.gaps.into(),
            strategies: flag.settings.strategies.iter().map(StrategyTexts::of).collect(),
            flag_variants: VariantTexts::of(&flag.settings.variants),
        }
    }

    /// Writes what stands before the context.
    pub fn write_head(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head);
    }

    /// Writes a whole entry of the form that names neither environment nor context.
    pub fn write_simple(&self, verdicts: &Verdicts, form: ResultForm, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.simple_head);
        self.write_tail(verdicts, form, out);
    }

    /// Writes what stands behind the context.
    pub fn write_tail(&self, verdicts: &Verdicts, form: ResultForm, out: &mut Vec<u8>) {
        let mut written = 0;
        for (place, gap) in &self.gaps {
            out.extend_from_slice(self.tail.get(written..*place).unwrap_or_default());
            self.fill(*gap, verdicts, form, out);
            written = *place;
        }
        out.extend_from_slice(self.tail.get(written..).unwrap_or_default());
    }

    /// About how many bytes of memory the template takes.
    #[must_use]
    pub fn size(&self) -> usize {
        let strategies = self.strategies.iter().map(|texts| texts.variants.size());
        size_of::<Self>()
            + self.head.len()
            + self.simple_head.len()
            + self.tail.len()
            + size_of_val(&*self.gaps)
            + size_of_val(&*self.strategies)
            + strategies.sum::<usize>()
            + self.flag_variants.size()
    }

    fn fill(&self, gap: Gap, verdicts: &Verdicts, form: ResultForm, out: &mut Vec<u8>) {
        match gap {
            Gap::IsEnabled => boolean(verdicts.enabled, out),
            Gap::IsEnabledInEnvironment => boolean(verdicts.enabled_in_environment, out),
            Gap::HasUnsatisfiedDependency => boolean(verdicts.has_unsatisfied_dependency(), out),
            Gap::Variant => self.variant(verdicts, out),
            Gap::Variants => self.variants(verdicts, out),
            Gap::StrategiesResult => verdict(verdicts.strategies_result, out),
            Gap::StrategyResult(place) => {
                if let (Some(found), Some(texts)) =
                    (verdicts.strategies.get(place), self.strategies.get(place))
                {
                    texts.result(*found, form, out);
                }
            }
            Gap::Condition(place) => boolean(verdicts.conditions.get(place) == Some(&true), out),
        }
    }

    fn variant(&self, verdicts: &Verdicts, out: &mut Vec<u8>) {
        let chosen = match verdicts.variant {
            VariantOutcome::OfStrategy { strategy, variant } => self
                .strategies
                .get(strategy)
                .and_then(|texts| texts.variants.each.get(variant)),
            VariantOutcome::OfFlag { variant } => self.flag_variants.each.get(variant),
            VariantOutcome::Disabled => None,
        };
        out.push(b'{');
        out.extend_from_slice(chosen.map_or(b"\"name\":\"disabled\",\"enabled\":false", |text| text));
        out.extend_from_slice(b",\"feature_enabled\":");
        boolean(verdicts.enabled, out);
        let of_strategy = matches!(verdicts.variant, VariantOutcome::OfStrategy { .. });
        if verdicts.enabled && !of_strategy {
            out.extend_from_slice(b",\"featureEnabled\":true");
        }
        out.push(b'}');
    }

    fn variants(&self, verdicts: &Verdicts, out: &mut Vec<u8>) {
        let winner = verdicts.decided_by.and_then(|place| self.strategies.get(place));
        let texts = match winner {
            Some(texts) if !texts.variants.is_empty => &texts.variants,
            _ => &self.flag_variants,
        };
        out.extend_from_slice(&texts.all);
    }
}

impl StrategyTexts {
    fn of(strategy: &ActivationStrategy) -> Self {
        let weighs = strategy.variants.iter().any(|variant| variant.weight > 0);
        Self {
            variants: VariantTexts::of(&strategy.variants),
            weighs,
        }
    }

    fn result(&self, found: StrategyVerdict, form: ResultForm, out: &mut Vec<u8>) {
        if form == ResultForm::Documented && found.evaluation == Evaluation::Complete {
            return verdict(found.verdict, out);
        }
        out.extend_from_slice(b"{\"enabled\":");
        verdict(found.verdict, out);
        out.extend_from_slice(b",\"evaluationStatus\":");
        out.extend_from_slice(match found.evaluation {
            Evaluation::Complete => b"\"complete\"",
            Evaluation::Incomplete => b"\"incomplete\"",
            Evaluation::Unevaluated => b"\"unevaluated\"",
        });
        if found.evaluation == Evaluation::Complete && self.weighs {
            let picked = found.variant.and_then(|variant| self.variants.each.get(variant));
            if let Some(text) = picked {
                out.extend_from_slice(b",\"variant\":{");
                out.extend_from_slice(text);
                out.extend_from_slice(b"},\"variants\":");
                out.extend_from_slice(&self.variants.all);
            }
        }
        out.push(b'}');
    }
}

/// Collects what stands behind the context.
struct Builder {
    text: Text,
    gaps: Vec<(usize, Gap)>,
    /// Where the verdict of each condition is.
    conditions: BTreeMap<ConditionPlace, usize>,
}

impl Builder {
    fn new(flag: &EnvironmentFlag, snapshot: &EnvironmentSnapshot) -> Self {
        let places = ConditionPlace::of_flag(flag, snapshot).enumerate();
        Self {
            text: Text::default(),
            gaps: Vec::new(),
            conditions: places.map(|(number, place)| (place, number)).collect(),
        }
    }

    /// The gap for the verdict of a condition.
    fn condition(&self, place: ConditionPlace) -> Gap {
        Gap::Condition(self.conditions.get(&place).copied().unwrap_or(usize::MAX))
    }

    fn raw(&mut self, text: &str) -> &mut Self {
        self.text.raw(text);
        self
    }

    fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> &mut Self {
        self.text.json(value);
        self
    }

    fn gap(&mut self, gap: Gap) -> &mut Self {
        self.gaps.push((self.text.0.len(), gap));
        self
    }

    fn strategy(
        &mut self,
        place: usize,
        strategy: &ActivationStrategy,
        flag: &EnvironmentFlag,
        environment: &str,
        snapshot: &EnvironmentSnapshot,
    ) {
        self.raw("{\"name\":")
            .json(&strategy.name)
            .raw(",\"id\":")
            .json(strategy.id.as_str());
        if let Some(title) = strategy.title.as_deref().filter(|title| !title.is_empty()) {
            self.raw(",\"title\":").json(title);
        }
        self.raw(",\"disabled\":")
            .json(&strategy.disabled)
            .raw(",\"parameters\":")
            .json(&strategy.parameters);
        self.raw(",\"result\":")
            .gap(Gap::StrategyResult(place))
            .raw(",\"constraints\":[");
        for (constraint, found) in strategy.constraints.iter().enumerate() {
            let own = self.condition(ConditionPlace::Constraint {
                strategy: place,
                constraint,
            });
            self.constraint(constraint, found, own, true);
        }
        self.raw("],\"segments\":[");
        for (segment, id) in strategy.segments.iter().enumerate() {
            self.segment(place, segment, *id, snapshot);
        }
        let link = format!(
            "/projects/{}/features/{}/strategies/edit?environmentId={environment}&strategyId={}",
            flag.project, flag.name, strategy.id
        );
        self.raw("],\"links\":{\"edit\":").json(&link).raw("}}");
    }

    fn segment(&mut self, strategy: usize, segment: usize, id: SegmentId, snapshot: &EnvironmentSnapshot) {
        let found = snapshot.segments.get(&id);
        let constraints = found.map_or(&[][..], |found| &found.constraints);
        if segment > 0 {
            self.raw(",");
        }
        self.raw("{\"id\":")
            .json(&id)
            .raw(",\"name\":")
            .json(found.map_or("", |found| &found.name));
        let own = self.condition(ConditionPlace::Segment { strategy, segment });
        self.raw(",\"result\":").gap(own).raw(",\"constraints\":[");
        for (constraint, found) in constraints.iter().enumerate() {
            let own = self.condition(ConditionPlace::SegmentConstraint {
                strategy,
                segment,
                constraint,
            });
            self.constraint(constraint, found, own, false);
        }
        self.raw("]}");
    }

    /// `own` is the gap for its verdict; `with_default`: whether `inverted` is written where it was never said.
    fn constraint(&mut self, index: usize, constraint: &Constraint, own: Gap, with_default: bool) {
        let mut document = Text::default();
        document.json(constraint);
        document.0.pop();
        if index > 0 {
            self.raw(",");
        }
        self.text.0.extend_from_slice(&document.0);
        if with_default && constraint.inverted.is_none() {
            self.raw(",\"inverted\":false");
        }
        self.raw(",\"result\":").gap(own).raw("}");
    }
}

fn boolean(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

fn verdict(value: Verdict, out: &mut Vec<u8>) {
    out.extend_from_slice(match value {
        Verdict::True => b"true",
        Verdict::False => b"false",
        Verdict::Unknown => b"\"unknown\"",
    });
}
