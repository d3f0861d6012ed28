use super::{ConstraintMember, ConstraintSource, read_constraint};
use crate::Operator;

/// A document as a list of members, each with a text; a list is written with commas.
struct Listed(Vec<(&'static str, &'static str)>, usize, Vec<&'static str>);

impl Listed {
    fn of(members: &[(&'static str, &'static str)]) -> Self {
        Self(members.to_vec(), 0, Vec::new())
    }

    fn said(&self) -> &'static str {
        self.0[self.1 - 1].1
    }
}

impl ConstraintSource for Listed {
    type Text = &'static str;
    type Error = std::convert::Infallible;

    fn next_member(&mut self) -> Result<Option<ConstraintMember>, Self::Error> {
        while let Some((name, _)) = self.0.get(self.1) {
            self.1 += 1;
            if let Some(member) = ConstraintMember::from_name(name) {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    fn text(&mut self, _: ConstraintMember) -> Result<Option<&'static str>, Self::Error> {
        Ok(Some(self.said()))
    }

    fn texts(&mut self, _: ConstraintMember) -> Result<Vec<&'static str>, Self::Error> {
        Ok(self.said().split(',').collect())
    }

    fn boolean(&mut self, _: ConstraintMember) -> Result<Option<bool>, Self::Error> {
        Ok(Some(self.said() == "true"))
    }

    fn lacks(&mut self, member: ConstraintMember) -> Result<(), Self::Error> {
        self.2.push(member.name());
        Ok(())
    }
}

#[test]
fn each_member_goes_where_it_belongs_and_the_last_of_a_name_counts() {
    let mut source = Listed::of(&[
        ("inverted", "true"),
        ("later", "?"),
        ("values", "a,b"),
        ("operator", "IN"),
        ("caseInsensitive", "false"),
        ("contextName", "userId"),
        ("value", "1"),
        ("contextName", "region"),
    ]);
    let read = read_constraint(&mut source).unwrap().unwrap();
    assert_eq!((read.context_name, read.operator), ("region", Operator::In));
    assert_eq!((read.values, read.value), (vec!["a", "b"], Some("1")));
    assert_eq!((read.inverted, read.case_insensitive), (Some(true), Some(false)));
}

#[test]
fn without_a_field_or_an_operator_there_is_no_constraint() {
    for (members, lacking) in [
        (&[("operator", "IN")][..], "contextName"),
        (&[("contextName", "userId"), ("values", "a")], "operator"),
    ] {
        let mut source = Listed::of(members);
        assert!(read_constraint(&mut source).unwrap().is_none());
        assert_eq!(source.2, [lacking]);
    }
}

#[test]
fn each_member_is_found_by_its_name() {
    for member in ConstraintMember::ALL {
        assert_eq!(ConstraintMember::from_name(member.name()), Some(*member));
    }
    assert_eq!(ConstraintMember::from_name("contextname"), None);
}
