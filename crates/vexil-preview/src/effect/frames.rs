//! Frames: what texts of a part begin and end with, where any of some letters may come between.

use vexil_values::Number;

use super::atoms::Part;
use super::ordered::{Interval, Order};

/// Texts of this form are of a part, most of them at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) head: String,
    /// The letters that may come between, of one byte each.
    pub(crate) letters: Vec<u8>,
    pub(crate) tail: String,
}

/// Digits that come so far behind the first one do not count in a number.
const BEYOND_NUMBERS: usize = 20;
/// Digits that come so far behind the second do not count in a moment.
const BEYOND_MOMENTS: usize = 9;

/// So many texts of a frame are looked at,
const SOME: u64 = 24;
/// with so many letters each.
const SOME_LETTERS: u64 = 14;

impl Frame {
    fn new(head: String, letters: Vec<u8>, tail: impl Into<String>) -> Self {
        let tail = tail.into();
        Self { head, letters, tail }
    }

    /// A few texts of the form, as long as those that are worked out.
    pub(crate) fn some(&self) -> impl Iterator<Item = String> + '_ {
        // Weyl's sequence: all letters come soon, in no order that a test could ask for
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let letter = |place: u64| {
            let number = place.wrapping_mul(STEP) >> 32;
            let letter = self.letters.get(number as usize % self.letters.len().max(1))?;
            Some(char::from(*letter))
        };
        (0..SOME).map(move |number| {
            let between = (0..SOME_LETTERS).filter_map(|place| letter(number * SOME_LETTERS + place + 1));
            format!("{}{}{}", self.head, between.collect::<String>(), self.tail)
        })
    }

    /// A text of the form, for a number.
    pub(crate) fn numbered(&self, number: u32) -> String {
        format!("{}{number}{}", self.head, self.tail)
    }
}

/// The frames of a part, those that read best first.
pub(crate) fn frames(part: &Part) -> Vec<Frame> {
    match part {
        Part::Texts(skeleton) => {
            let all = skeleton.frames().into_iter();
            all.map(|(head, tail)| Frame::new(head, any_letters(), tail))
                .collect()
        }
        Part::Matching(words) | Part::Among(words) => {
            let round = words
                .round()
                .map(|(head, letters, tail)| Frame::new(head, letters, tail));
            let others = words.texts().take(6);
            let others = others.map(|text| Frame::new(text, any_letters(), ""));
            round.into_iter().chain(others).collect()
        }
        Part::Between(interval) => interval.frames(),
        _ => Vec::new(),
    }
}

fn any_letters() -> Vec<u8> {
    (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').collect()
}

impl Interval {
    /// The frames of an interval, each of which says values of it only, as far as one try tells.
    pub(crate) fn frames(&self) -> Vec<Frame> {
        let texts = self.plain().into_iter();
        let mut all: Vec<Frame> = texts.flat_map(|text| self.framed(&text)).collect();
        all.retain(|frame| self.is_said_by(&frame.numbered(999_999_999)));
        all
    }

    /// One value with letters that may not count.
    fn framed(&self, text: &str) -> Vec<Frame> {
        let digits = (b'0'..=b'9').collect::<Vec<u8>>();
        match self.order {
            Order::Versions => vec![Frame::new(format!("{text}+"), any_letters(), "")],
            Order::Moments => {
                let zone = text
                    .rfind('Z')
                    .unwrap_or(text.len().saturating_sub("+00:00".len()));
                let (moment, zone) = text.split_at_checked(zone).unwrap_or((text, ""));
                let (whole, fraction) = moment.split_once('.').unwrap_or((moment, ""));
                vec![
                    Frame::new(format!("{whole}.{fraction}"), digits.clone(), zone),
                    Frame::new(format!("{whole}.{fraction:0<BEYOND_MOMENTS$}"), digits, zone),
                ]
            }
            Order::Numbers if Number::parse(text).is_some_and(|number| number.get() == 0.0) => vec![
                Frame::new("0.".to_owned(), digits.clone(), ""),
                Frame::new("0e".to_owned(), digits, ""),
            ],
            Order::Numbers => {
                let (number, power) = match text.find('e') {
                    Some(place) => text.split_at_checked(place).unwrap_or((text, "")),
                    None => (text, ""),
                };
                let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
                vec![
                    Frame::new(format!("{whole}.{fraction}"), digits.clone(), power),
                    Frame::new(format!("{whole}.{fraction:0<BEYOND_NUMBERS$}"), digits, power),
                ]
            }
        }
    }
}
