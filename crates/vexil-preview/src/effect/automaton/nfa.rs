//! Several regular expressions as one automaton that may be in many of its places at once.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};

use crate::effect::fast::FastMap;

/// More places are not made.
const MOST_NODES: usize = 8_000;

/// A place.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// A letter: the number of the place among those of letters.
    Letter(usize),
    /// Any of these.
    Split(Vec<usize>),
    /// Where something holds at this point of the text.
    Look(Look, usize),
    /// The expression has matched.
    Matched,
}

/// Places, and the sets of letters that lead from one to another.
#[derive(Default)]
pub(super) struct Nfa {
    pub(super) nodes: Vec<Node>,
    /// Where each expression starts.
    pub(super) starts: Vec<usize>,
    pub(super) sets: Vec<ClassUnicode>,
    /// Of each place of a letter its set, where it leads, and its expression.
    pub(super) letters: Vec<(usize, usize, usize)>,
    single: FastMap<char, usize>,
    /// Whether what holds at a point of the text can depend on the letters around it.
    pub(super) looks_around: bool,
    expression: usize,
}

impl Nfa {
    /// The automaton of some expressions; `None` where it would be too large, or cannot be made.
    pub(super) fn new<'h>(expressions: impl Iterator<Item = &'h Hir>) -> Option<Self> {
        let mut nfa = Self::default();
        for (number, expression) in expressions.enumerate() {
            nfa.expression = number;
            let matched = nfa.push(Node::Matched)?;
            let start = nfa.add(expression, matched)?;
            nfa.starts.push(start);
        }
        if nfa.looks_around {
            // what looks at the letters around a point tells these apart, whether they are asked for or not
            let range = |(from, to)| ClassUnicodeRange::new(from, to);
            let word = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')].map(range);
            nfa.class(&ClassUnicode::new(word));
            nfa.single('\n');
        }
        Some(nfa)
    }

    fn push(&mut self, node: Node) -> Option<usize> {
        self.nodes.push(node);
        (self.nodes.len() <= MOST_NODES).then_some(self.nodes.len() - 1)
    }

    fn letter(&mut self, set: usize, next: usize) -> Option<usize> {
        let number = self.letters.len();
        self.letters.push((set, next, self.expression));
        self.push(Node::Letter(number))
    }

    fn single(&mut self, letter: char) -> usize {
        *self.single.entry(letter).or_insert_with(|| {
            let range = ClassUnicodeRange::new(letter, letter);
            self.sets.push(ClassUnicode::new([range]));
            self.sets.len() - 1
        })
    }

    fn class(&mut self, class: &ClassUnicode) -> usize {
        if let [only] = class.ranges()
            && only.start() == only.end()
        {
            return self.single(only.start());
        }
        let known = self.sets.iter().position(|known| known == class);
        known.unwrap_or_else(|| {
            self.sets.push(class.clone());
            self.sets.len() - 1
        })
    }

    /// Tells letters of a set apart from all others.
    pub(super) fn tell_apart(&mut self, set: &ClassUnicode) {
        self.class(set);
    }

    /// The place from which `expression` leads to `next`.
    fn add(&mut self, expression: &Hir, next: usize) -> Option<usize> {
        match expression.kind() {
            HirKind::Empty => Some(next),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                text.chars().rev().try_fold(next, |next, letter| {
                    let set = self.single(letter);
                    self.letter(set, next)
                })
            }
            HirKind::Class(Class::Unicode(class)) => {
                let set = self.class(class);
                self.letter(set, next)
            }
            HirKind::Class(Class::Bytes(class)) => {
                let set = self.class(&class.to_unicode_class()?);
                self.letter(set, next)
            }
            HirKind::Look(look) => {
                match look {
                    Look::Start | Look::End => {}
                    Look::StartLF | Look::EndLF | Look::WordAscii | Look::WordAsciiNegate => {
                        self.looks_around = true;
                    }
                    _ => return None,
                }
                self.push(Node::Look(*look, next))
            }
            HirKind::Capture(capture) => self.add(&capture.sub, next),
            HirKind::Concat(parts) => parts
                .iter()
                .rev()
                .try_fold(next, |next, part| self.add(part, next)),
            HirKind::Alternation(parts) => {
                let ways: Option<Vec<usize>> = parts.iter().map(|part| self.add(part, next)).collect();
                self.push(Node::Split(ways?))
            }
            HirKind::Repetition(repetition) => {
                let mut entry = next;
                match repetition.max {
                    None => {
                        entry = self.push(Node::Split(Vec::new()))?;
                        let again = self.add(&repetition.sub, entry)?;
                        if let Some(node) = self.nodes.get_mut(entry) {
                            *node = Node::Split(vec![again, next]);
                        }
                    }
                    Some(max) => {
                        for _ in repetition.min..max {
                            let once = self.add(&repetition.sub, entry)?;
                            entry = self.push(Node::Split(vec![once, next]))?;
                        }
                    }
                }
                (0..repetition.min).try_fold(entry, |entry, _| self.add(&repetition.sub, entry))
            }
        }
    }
}
