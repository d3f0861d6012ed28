//! The JSON document of a constraint: which members it has, and what each means.
//!
//! The one reader of it is [`read_constraint`]. Whoever has such a document hands out its members as a [`ConstraintSource`], and
//! decides by that how strict it is: about members that are not known, about a kind of JSON that does not fit, about what is missing.

use super::{Constraint, Operator};

macro_rules! members {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// A member of a constraint's document.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ConstraintMember {
            $($(#[$doc])* $variant,)+
        }

        impl ConstraintMember {
            /// Every member, in the order in which they are written.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The member of this name, if there is one.
            #[inline]
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

members! {
    /// The context field; must be there.
    ContextName = "contextName",
    /// The operator's name; must be there.
    Operator = "operator",
    /// The texts of an operator that takes several.
    Values = "values",
    /// The text of an operator that takes one.
    Value = "value",
    /// Whether the outcome is turned round.
    Inverted = "inverted",
    /// Whether text is compared without regard to case.
    CaseInsensitive = "caseInsensitive",
}

/// Where the members of a constraint's document come from.
pub trait ConstraintSource {
    /// Text of the document.
    type Text: AsRef<str>;
    /// Why it cannot be read on.
    type Error;

    /// The next member; each of the other calls is about the one that this has handed out last. What is not known is passed
    /// over or refused here.
    ///
    /// # Errors
    ///
    /// The document cannot be read on. The same goes for the others.
    fn next_member(&mut self) -> Result<Option<ConstraintMember>, Self::Error>;

    /// The text of a member; `None` where there is none.
    fn text(&mut self, member: ConstraintMember) -> Result<Option<Self::Text>, Self::Error>;

    /// The texts of a member, empty where there are none.
    fn texts(&mut self, member: ConstraintMember) -> Result<Vec<Self::Text>, Self::Error>;

    /// What a member says; `None` where it says neither.
    fn boolean(&mut self, member: ConstraintMember) -> Result<Option<bool>, Self::Error>;

    /// The text of a member that must have some.
    fn needed_text(&mut self, member: ConstraintMember) -> Result<Option<Self::Text>, Self::Error> {
        self.text(member)
    }

    /// The name of an operator.
    fn operator_name(&mut self, member: ConstraintMember) -> Result<Option<Self::Text>, Self::Error> {
        self.needed_text(member)
    }

    /// A member that must be there is not, or was not understood.
    ///
    /// # Errors
    ///
    /// Where that is one.
    fn lacks(&mut self, _member: ConstraintMember) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Reads the document of a constraint; `None` where it lacks what it must have.
///
/// # Errors
///
/// Those of the source.
pub fn read_constraint<S: ConstraintSource>(source: &mut S) -> Result<Option<Constraint<S::Text>>, S::Error> {
    let (mut context_name, mut operator, mut value) = (None, None, None);
    let mut values = Vec::new();
    let (mut inverted, mut case_insensitive) = (None, None);
    while let Some(member) = source.next_member()? {
        match member {
            ConstraintMember::ContextName => context_name = source.needed_text(member)?,
            ConstraintMember::Operator => operator = source.operator_name(member)?,
            ConstraintMember::Values => values = source.texts(member)?,
            ConstraintMember::Value => value = source.text(member)?,
            ConstraintMember::Inverted => inverted = source.boolean(member)?,
            ConstraintMember::CaseInsensitive => case_insensitive = source.boolean(member)?,
        }
    }
    let Some(context_name) = context_name else {
        source.lacks(ConstraintMember::ContextName)?;
        return Ok(None);
    };
    let Some(operator) = operator else {
        source.lacks(ConstraintMember::Operator)?;
        return Ok(None);
    };
    Ok(Some(Constraint {
        context_name,
        operator: Operator::from_name(operator.as_ref()),
        values,
        value,
        inverted,
        case_insensitive,
    }))
}

#[cfg(feature = "serde")]
mod stored {
    //! The form in which constraints are stored, which is what SDKs and the administration API are told as well.
    //! Members that are not known are passed over: a later version may have written them.

    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
    use serde::ser::{SerializeStruct, Serializer};
    use serde::{Deserialize, Serialize};

    use super::{Constraint, ConstraintMember, ConstraintSource, read_constraint};

    impl<T: Serialize> Serialize for Constraint<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let left_out = [
                self.value.is_none(),
                self.inverted.is_none(),
                self.case_insensitive.is_none(),
            ];
            let left_out = left_out.into_iter().filter(|absent| *absent).count();
            let length = ConstraintMember::ALL.len() - left_out;
            let mut document = serializer.serialize_struct("Constraint", length)?;
            for member in ConstraintMember::ALL {
                let name = member.name();
                match member {
                    ConstraintMember::ContextName => document.serialize_field(name, &self.context_name)?,
                    ConstraintMember::Operator => document.serialize_field(name, &self.operator)?,
                    ConstraintMember::Values => document.serialize_field(name, &self.values)?,
                    ConstraintMember::Value => optional(&mut document, name, self.value.as_ref())?,
                    ConstraintMember::Inverted => optional(&mut document, name, self.inverted.as_ref())?,
                    ConstraintMember::CaseInsensitive => {
                        optional(&mut document, name, self.case_insensitive.as_ref())?;
                    }
                }
            }
            document.end()
        }
    }

    fn optional<S: SerializeStruct, T: Serialize>(
        document: &mut S,
        name: &'static str,
        value: Option<&T>,
    ) -> Result<(), S::Error> {
        match value {
            Some(value) => document.serialize_field(name, value),
            None => document.skip_field(name),
        }
    }

    impl<'de> Deserialize<'de> for Constraint {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Document)
        }
    }

    struct Document;

    impl<'de> Visitor<'de> for Document {
        type Value = Constraint;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a constraint")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Constraint, A::Error> {
            let read = read_constraint(&mut Stored(map, PhantomData))?;
            read.ok_or_else(|| A::Error::custom("it lacks what it must have"))
        }
    }

    /// The name of a member, if it is known.
    struct Name(Option<ConstraintMember>);

    impl<'de> Deserialize<'de> for Name {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_identifier(NameVisitor)
        }
    }

    struct NameVisitor;

    impl Visitor<'_> for NameVisitor {
        type Value = Name;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a member's name")
        }

        fn visit_str<E>(self, name: &str) -> Result<Name, E> {
            Ok(Name(ConstraintMember::from_name(name)))
        }
    }

    struct Stored<'de, A>(A, PhantomData<&'de ()>);

    impl<'de, A: MapAccess<'de>> ConstraintSource for Stored<'de, A> {
        type Text = String;
        type Error = A::Error;

        fn next_member(&mut self) -> Result<Option<ConstraintMember>, A::Error> {
            while let Some(Name(name)) = self.0.next_key()? {
                if name.is_some() {
                    return Ok(name);
                }
                self.0.next_value::<IgnoredAny>()?;
            }
            Ok(None)
        }

        fn text(&mut self, _: ConstraintMember) -> Result<Option<String>, A::Error> {
            self.0.next_value()
        }

        fn texts(&mut self, _: ConstraintMember) -> Result<Vec<String>, A::Error> {
            let texts: Option<Vec<String>> = self.0.next_value()?;
            let mut texts = texts.unwrap_or_default();
            // it stays in memory, and seldom grows
            texts.shrink_to_fit();
            Ok(texts)
        }

        fn boolean(&mut self, _: ConstraintMember) -> Result<Option<bool>, A::Error> {
            self.0.next_value()
        }

        fn lacks(&mut self, member: ConstraintMember) -> Result<(), A::Error> {
            Err(A::Error::missing_field(member.name()))
        }
    }
}

#[cfg(test)]
mod tests;
