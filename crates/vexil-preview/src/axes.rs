//! The axes of one flag: the fields of a matrix that it reads, each with the values it tells apart.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{Context, FlagName};

use crate::boxes::{Condition, ContextBox};
use crate::classes::{Class, Distinct, classes, distinct, effective, singletons};
use crate::cover::cover;
use crate::evaluations::Evaluations;
use crate::findings::{Cell, Comparison, DifferenceError, Group};
use crate::probe::Probes;
use crate::tally::Tally;
use crate::{ContextMatrix, MatrixField};

/// So many values are listed even where fewer are left out.
const FEW: usize = 3;

/// A field that the flag reads.
struct Axis<'a> {
    field: &'a MatrixField,
    /// What one step of the field's digit adds to the number of a combination.
    stride: u128,
    values: Vec<Distinct<'a>>,
    classes: Vec<Class>,
}

/// The fields that a flag reads, with the values that it tells apart.
pub(crate) struct Axes<'a> {
    matrix: &'a ContextMatrix,
    axes: Vec<Axis<'a>>,
    /// How many combinations there are of all other fields.
    others: u128,
}

impl<'a> Axes<'a> {
    pub(crate) fn new(
        comparison: &Comparison<'_>,
        flag: &FlagName,
        matrix: &'a ContextMatrix,
        probes: &Probes,
        evaluations: &mut Evaluations<'_>,
    ) -> Result<Self, DifferenceError> {
        let mut axes = Self {
            matrix,
            axes: Vec::new(),
            others: 1,
        };
        let mut stride: u128 = 1;
        for field in matrix.fields().iter().rev() {
            if probes.field(&field.name).is_some() {
                let values = distinct(field);
                let classes = singletons(&values);
                axes.axes.push(Axis {
                    field,
                    stride,
                    values,
                    classes,
                });
            } else {
                axes.others = axes.others.saturating_mul(field.values.len() as u128);
            }
            stride = stride.saturating_mul(field.values.len() as u128);
        }
        axes.axes.reverse();
        let questions = |axis: &Axis<'_>| {
            let probes = probes.field(&axis.field.name).map_or(0, |probes| probes.len());
            (axis.values.len() as u128).saturating_mul(probes as u128)
        };
        let questions = axes.axes.iter().map(questions).fold(0, u128::saturating_add);
        if questions < axes.both_sides() {
            evaluations.spend(flag, || axes.sizes(), questions)?;
            axes.classify(comparison, probes, evaluations.budget)?;
        }
        let both = axes.both_sides();
        evaluations.spend(flag, || axes.sizes(), both)?;
        Ok(axes)
    }

    /// The fields, each with the number of values that are told apart.
    pub(crate) fn sizes(&self) -> Vec<(String, usize)> {
        let size = |axis: &Axis<'_>| (axis.field.name.clone(), axis.classes.len());
        self.axes.iter().map(size).collect()
    }

    /// How many cells there are; `u64::MAX` stands for that many or more.
    pub(crate) fn cells(&self) -> u64 {
        u64::try_from(self.both_sides() / 2).unwrap_or(u64::MAX)
    }

    /// How many evaluations it takes to decide every cell before and after.
    fn both_sides(&self) -> u128 {
        self.axes.iter().fold(2, |product: u128, axis| {
            product.saturating_mul(axis.classes.len() as u128)
        })
    }

    fn classify(
        &mut self,
        comparison: &Comparison<'_>,
        probes: &Probes,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        for axis in &mut self.axes {
            let field = &axis.field.name;
            probes.pay(field, axis.values.len(), budget)?;
            axis.classes = classes(field, &axis.values, probes, &comparison.ambient, |value| {
                effective(field, value, comparison.environment)
            });
        }
        Ok(())
    }

    pub(crate) fn fields(&self) -> Vec<String> {
        self.axes.iter().map(|axis| axis.field.name.clone()).collect()
    }

    /// Visits every cell: its class on each axis, a context that stands for it, and how many combinations it is.
    pub(crate) fn walk(
        &self,
        environment: &str,
        mut visit: impl FnMut(&[u32], &Context, u128) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let mut context = self.matrix.first().context(environment);
        let mut place = vec![0_u32; self.axes.len()];
        for axis in &self.axes {
            axis.enter(0, environment, &mut context);
        }
        loop {
            let chosen = self
                .axes
                .iter()
                .zip(&place)
                .filter_map(|(axis, class)| axis.class(*class));
            let times = chosen.fold(self.others, |times, class| times.saturating_mul(class.times));
            visit(&place, &context, times)?;
            if !self.advance(&mut place, environment, &mut context) {
                return Ok(());
            }
        }
    }

    fn advance(&self, place: &mut [u32], environment: &str, context: &mut Context) -> bool {
        for (class, axis) in place.iter_mut().zip(&self.axes).rev() {
            *class += 1;
            let wrapped = *class as usize >= axis.classes.len();
            if wrapped {
                *class = 0;
            }
            axis.enter(*class, environment, context);
            if !wrapped {
                return true;
            }
        }
        false
    }

    /// Describes cells that change alike.
    pub(crate) fn group(&self, tally: Tally, budget: &Budget) -> Result<Group, Exhausted> {
        let first = tally.cells.first().map(Vec::as_slice).unwrap_or_default();
        let cell = self.cell(first);
        let boxes = cover(self.axes.len(), &tally.cells, budget)?;
        Ok(Group {
            before: tally.before,
            after: tally.after,
            combinations: tally.times,
            boxes: boxes.iter().map(|sets| self.describe(sets)).collect(),
            cell,
        })
    }

    /// The first combination in a cell.
    fn cell(&self, place: &[u32]) -> Cell {
        let digit = |(axis, class): (&Axis<'_>, &u32)| {
            let first = axis.class(*class).and_then(|class| class.members.first())?;
            axis.values
                .get(*first)
                .map(|value| value.digit as u128 * axis.stride)
        };
        let combination = self.axes.iter().zip(place).filter_map(digit).sum();
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let context = self
            .matrix
            .at(combination)
            .map(|cursor| cursor.values().map(owned).collect());
        Cell {
            combination,
            context: context.unwrap_or_default(),
        }
    }

    fn describe(&self, sets: &[Vec<u32>]) -> ContextBox {
        let mut described = ContextBox::default();
        for (axis, set) in self.axes.iter().zip(sets) {
            if set.len() == axis.classes.len() {
                described.any.push(axis.field.name.clone());
            } else {
                described.conditions.push(axis.condition(set));
            }
        }
        described
    }
}

impl Axis<'_> {
    fn class(&self, number: u32) -> Option<&Class> {
        self.classes.get(number as usize)
    }

    /// Gives the context a value of the class.
    fn enter(&self, class: u32, environment: &str, context: &mut Context) {
        let first = self.class(class).and_then(|class| class.members.first());
        if let Some(value) = first.and_then(|first| self.values.get(*first)) {
            context.set(
                &self.field.name,
                effective(&self.field.name, value.value, environment),
            );
        }
    }

    /// The values of some classes, or the values that are not in them where those are fewer.
    fn condition(&self, set: &[u32]) -> Condition {
        let mut inside = vec![false; self.values.len()];
        for member in set
            .iter()
            .filter_map(|class| self.class(*class))
            .flat_map(|class| &class.members)
        {
            if let Some(place) = inside.get_mut(*member) {
                *place = true;
            }
        }
        let count = inside.iter().filter(|inside| **inside).count();
        let except = count > FEW && count * 2 > inside.len();
        let listed = self
            .values
            .iter()
            .zip(&inside)
            .filter(|(_, inside)| **inside != except);
        Condition {
            field: self.field.name.clone(),
            values: listed.map(|(value, _)| value.value.to_owned()).collect(),
            except,
        }
    }
}
