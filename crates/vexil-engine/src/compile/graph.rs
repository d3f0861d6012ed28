//! Warns of dependencies that can never be satisfied: missing parents, parents of parents, cycles.

use std::collections::{HashMap, HashSet};

use crate::flag_table::FlagTable;
use crate::program::Answer;
use crate::{Place, Problem, Warning};

/// Warns of the parents of these flags.
pub(crate) fn warn_of_parents(
    table: &FlagTable,
    flags: impl Iterator<Item = u32>,
    warnings: &mut Vec<Warning>,
) {
    let has_parents = |flag: &u32| {
        table
            .flag_ref(*flag)
            .is_some_and(|flag_ref| !flag_ref.flag.parents().is_empty())
    };
    let children: Vec<u32> = flags.filter(has_parents).collect();
    let circular = circular(table, &children);
    for child in children {
        for parent in parents(table, child) {
            let (Some(flag), Some(other)) = (table.flag_ref(child), table.flag_ref(parent)) else {
                continue;
            };
            let (flag, other) = (flag.flag, other.flag);
            let name = other.name.clone();
            let problem = if other.answer == Answer::Gone {
                Problem::MissingParent { parent: name }
            } else if circular.contains(&(child, parent)) {
                Problem::Cycle { parent: name }
            } else if !other.parents().is_empty() {
                Problem::NestedParent { parent: name }
            } else {
                continue;
            };
            let place = Place {
                flag: Some(flag.name.clone()),
                ..Place::default()
            };
            warnings.push(Warning { place, problem });
        }
    }
}

fn parents(table: &FlagTable, flag: u32) -> Vec<u32> {
    let parents = table
        .flag_ref(flag)
        .map_or(&[][..], |flag_ref| flag_ref.flag.parents());
    parents.iter().map(|parent| parent.flag).collect()
}

/// The dependencies, as (child, parent), that lie on a cycle: those whose ends are in one strongly
/// connected component. Tarjan's algorithm, without recursion, over all that `roots` reach.
fn circular(table: &FlagTable, roots: &[u32]) -> HashSet<(u32, u32)> {
    let mut search = Search::default();
    for root in roots {
        if !search.order.contains_key(root) {
            search.run(table, *root);
        }
    }
    let mut edges = HashSet::new();
    for (child, component) in &search.component {
        for parent in parents(table, *child) {
            if search.component.get(&parent) == Some(component) {
                edges.insert((*child, parent));
            }
        }
    }
    edges
}

#[derive(Default)]
struct Search {
    order: HashMap<u32, u32>,
    /// The least order reachable, while a node is open.
    low: HashMap<u32, u32>,
    open: Vec<u32>,
    /// Finished nodes, by the node that closed their component.
    component: HashMap<u32, u32>,
}

impl Search {
    fn run(&mut self, table: &FlagTable, root: u32) {
        let mut path = vec![(root, self.enter(table, root))];
        while let Some((node, pending)) = path.last_mut() {
            let node = *node;
            match pending.pop() {
                Some(next) if !self.order.contains_key(&next) => {
                    path.push((next, self.enter(table, next)));
                }
                Some(next) => {
                    if !self.component.contains_key(&next) {
                        let order = self.order.get(&next).copied();
                        self.lower(node, order);
                    }
                }
                None => {
                    path.pop();
                    let low = self.low.get(&node).copied();
                    if low == self.order.get(&node).copied() {
                        self.close(node);
                    }
                    if let Some((above, _)) = path.last() {
                        self.lower(*above, low);
                    }
                }
            }
        }
    }

    fn enter(&mut self, table: &FlagTable, node: u32) -> Vec<u32> {
        let order = self.order.len() as u32;
        self.order.insert(node, order);
        self.low.insert(node, order);
        self.open.push(node);
        parents(table, node)
    }

    fn lower(&mut self, node: u32, to: Option<u32>) {
        if let (Some(low), Some(to)) = (self.low.get_mut(&node), to) {
            *low = (*low).min(to);
        }
    }

    fn close(&mut self, node: u32) {
        while let Some(member) = self.open.pop() {
            self.component.insert(member, node);
            if member == node {
                return;
            }
        }
    }
}
