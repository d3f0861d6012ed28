//! Contexts: what an application says of the user it asks for.

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

/// What tells names of properties apart at a glance: all of a name of up to seven bytes, a part of a
/// longer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PropertyKey(u64);

impl PropertyKey {
    /// The key of a name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let bytes = name.as_bytes();
        let letters = match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(28)
            }
            _ => bytes.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
        };
        Self(letters << 8 | bytes.len().min(255) as u64)
    }

    #[inline]
    fn is_whole(self) -> bool {
        self.0 as u8 <= 7
    }
}

/// Context properties by name. Small and read often, so kept as a sorted list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties(Vec<Property>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Property {
    key: PropertyKey,
    name: Box<str>,
    value: String,
}

/// Up to this many properties are looked through one by one.
const FEW: usize = 16;

impl Properties {
    /// The value of a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_by_key(PropertyKey::new(name), || name)
    }

    /// The same, for a key that is known beforehand. The name that it is of is seldom asked for.
    #[inline]
    pub fn get_by_key<N: AsRef<str>>(&self, key: PropertyKey, name: impl Fn() -> N) -> Option<&str> {
        if self.0.len() > FEW || !key.is_whole() {
            return self.get_by_name(key, name().as_ref());
        }
        let property = self.0.iter().find(|property| property.key == key)?;
        Some(&property.value)
    }

    #[inline(never)]
    fn get_by_name(&self, key: PropertyKey, name: &str) -> Option<&str> {
        let property = if self.0.len() > FEW {
            self.0.get(self.place(name).ok()?)?
        } else {
            let mut with_key = self.0.iter().filter(|property| property.key == key);
            with_key.find(|property| *property.name == *name)?
        };
        Some(&property.value)
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|property| (*property.name).cmp(name))
    }

    /// Sets a property, replacing an earlier value.
    pub fn insert(&mut self, name: &str, value: impl Into<String>) {
        match self.place(name) {
            Ok(place) => {
                if let Some(property) = self.0.get_mut(place) {
                    property.value = value.into();
                }
            }
            Err(place) => {
                let property = Property {
                    key: PropertyKey::new(name),
                    name: name.into(),
                    value: value.into(),
                };
                self.0.insert(place, property);
            }
        }
    }

    /// All properties, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|property| (&*property.name, property.value.as_str()))
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

#[cfg(test)]
mod tests;
