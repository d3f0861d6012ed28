//! Constraints as people send them: members that are not known are refused, and everything that does not fit.

use std::convert::Infallible;

use vexil_client_api::json::{Node, Problems};
use vexil_domain::{Constraint, ConstraintMember, ConstraintSource, Operator};

/// Reads a constraint.
pub fn read_constraint(node: &Node<'_>, problems: &mut Problems) -> Option<Constraint> {
    let known: Vec<&str> = ConstraintMember::ALL.iter().map(|member| member.name()).collect();
    node.object_of(problems, &known)?;
    let mut members = Members {
        node,
        problems,
        left: ConstraintMember::ALL.iter(),
    };
    let Ok(constraint) = vexil_domain::read_constraint(&mut members);
    constraint
}

/// Each member that there may be, in the order in which they are written, so that what is missing is told as well.
struct Members<'n, 'd, 'p> {
    node: &'n Node<'d>,
    problems: &'p mut Problems,
    left: std::slice::Iter<'static, ConstraintMember>,
}

impl ConstraintSource for Members<'_, '_, '_> {
    type Text = String;
    type Error = Infallible;

    fn next_member(&mut self) -> Result<Option<ConstraintMember>, Infallible> {
        Ok(self.left.next().copied())
    }

    fn text(&mut self, member: ConstraintMember) -> Result<Option<String>, Infallible> {
        Ok(self.node.get(member.name()).optional_text(self.problems))
    }

    fn needed_text(&mut self, member: ConstraintMember) -> Result<Option<String>, Infallible> {
        Ok(self.node.get(member.name()).non_empty_text(self.problems))
    }

    fn operator_name(&mut self, member: ConstraintMember) -> Result<Option<String>, Infallible> {
        let known: Vec<&str> = Operator::KNOWN.iter().map(Operator::name).collect();
        Ok(self.node.get(member.name()).word(self.problems, &known))
    }

    fn texts(&mut self, member: ConstraintMember) -> Result<Vec<String>, Infallible> {
        Ok(self.node.get(member.name()).list(self.problems, Node::text))
    }

    fn boolean(&mut self, member: ConstraintMember) -> Result<Option<bool>, Infallible> {
        Ok(self.node.get(member.name()).optional_boolean(self.problems))
    }
}
