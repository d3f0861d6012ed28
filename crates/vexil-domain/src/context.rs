//! Contexts: what an application says of the user it asks for.

use crate::same;

/// What an application knows when it asks for a flag. Every field is text; an empty value counts
/// as absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// Identifies the user.
    pub user_id: Option<String>,
    /// Identifies the session.
    pub session_id: Option<String>,
    /// The IP address of the user.
    pub remote_address: Option<String>,
    /// The environment the application runs in.
    pub environment: Option<String>,
    /// The application.
    pub app_name: Option<String>,
    /// The time to evaluate at, RFC 3339; the caller's present when absent.
    pub current_time: Option<String>,
    /// Everything else, by name. A standard field of the same name wins over a property.
    pub properties: Properties,
}

impl Context {
    /// The value of a field: a standard field, else the property of that name. Empty values are absent.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&str> {
        let standard = match field {
            "userId" => &self.user_id,
            "sessionId" => &self.session_id,
            "remoteAddress" => &self.remote_address,
            "environment" => &self.environment,
            "appName" => &self.app_name,
            "currentTime" => &self.current_time,
            _ => &None,
        };
        let present = |value: &&str| !value.is_empty();
        standard
            .as_deref()
            .filter(present)
            .or_else(|| self.properties.get(field).filter(present))
    }

    /// Sets a field by name: a standard field, else a property.
    pub fn set(&mut self, field: &str, value: impl Into<String>) {
        let standard = match field {
            "userId" => &mut self.user_id,
            "sessionId" => &mut self.session_id,
            "remoteAddress" => &mut self.remote_address,
            "environment" => &mut self.environment,
            "appName" => &mut self.app_name,
            "currentTime" => &mut self.current_time,
            _ => return self.properties.insert(field, value),
        };
        *standard = Some(value.into());
    }

    /// The same, for building in one expression.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<String>) -> Self {
        self.set(field, value);
        self
    }
}

/// Context properties by name. Small and read often, so kept as a sorted list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties(Vec<(Box<str>, String)>);

/// Up to this many properties are looked through one by one: unequal lengths tell most of them apart.
const FEW: usize = 16;

impl Properties {
    /// The value of a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        if self.0.len() > FEW {
            return self.get_of_many(name);
        }
        let mut all = self.0.iter();
        let (_, value) = all.find(|(key, _)| same(key.as_bytes(), name.as_bytes()))?;
        Some(value)
    }

    #[inline(never)]
    fn get_of_many(&self, name: &str) -> Option<&str> {
        let place = self.0.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
        self.0.get(place).map(|(_, value)| value.as_str())
    }

    /// Sets a property, replacing an earlier value.
    pub fn insert(&mut self, name: &str, value: impl Into<String>) {
        match self.0.binary_search_by(|(key, _)| (**key).cmp(name)) {
            Ok(place) => {
                if let Some((_, old)) = self.0.get_mut(place) {
                    *old = value.into();
                }
            }
            Err(place) => self.0.insert(place, (name.into(), value.into())),
        }
    }

    /// All properties, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, value.as_str()))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: AsRef<str>, V: Into<String>> FromIterator<(N, V)> for Properties {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(items: I) -> Self {
        let mut all = Self::default();
        for (name, value) in items {
            all.insert(name.as_ref(), value);
        }
        all
    }
}
