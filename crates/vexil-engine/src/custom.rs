//! Custom strategies: strategy types that the application itself decides.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use vexil_domain::FlagName;

use crate::fields::FieldId;

/// The custom strategy types that an application knows, each a name and a function.
///
/// A function is told the parameters of the strategy and the context values of the fields that were named when it was
/// registered, and of no others, so that [`Engine::reads`](crate::Engine::reads) knows what the answer depends on. It
/// must give equal answers to equal questions.
///
/// ```
/// use vexil_engine::{Ambient, Context, CustomStrategies, Engine, EnvironmentFlag, EnvironmentSnapshot};
/// use vexil_engine::{ActivationStrategy, OffsetDateTime};
///
/// let custom = CustomStrategies::default().with("byTenant", ["tenant"], |asked| {
///     let tenants = asked.parameter("tenants").unwrap_or_default();
///     asked.value("tenant").is_some_and(|tenant| tenants.split(',').any(|one| one == tenant))
/// });
/// let strategy = ActivationStrategy::new("s1", "byTenant").with_parameter("tenants", "acme,umbrella");
/// let flags: EnvironmentSnapshot = [EnvironmentFlag::new("checkout", "default").with_strategy(strategy)].into_iter().collect();
/// let (engine, warnings) = Engine::compile_with(&flags, custom);
/// assert!(warnings.is_empty());
///
/// let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
/// assert!(engine.is_enabled("checkout", &Context::default().with("tenant", "acme"), &ambient));
/// assert!(!engine.is_enabled("checkout", &Context::default().with("tenant", "other"), &ambient));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CustomStrategies {
    by_name: BTreeMap<Arc<str>, Arc<Registered>>,
}

type Function = dyn Fn(&CustomQuestion<'_>) -> bool + Send + Sync;

/// A custom strategy type.
pub(crate) struct Registered {
    pub(crate) fields: Box<[Box<str>]>,
    function: Box<Function>,
}

impl CustomStrategies {
    /// The same with a strategy type more: its name, the context fields that the function asks for, and the function.
    /// A type of a name that Unleash defines is never asked.
    #[must_use]
    pub fn with<F: Into<Box<str>>>(
        mut self,
        name: &str,
        fields: impl IntoIterator<Item = F>,
        function: impl Fn(&CustomQuestion<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let registered = Registered {
            fields: fields.into_iter().map(Into::into).collect(),
            function: Box::new(function),
        };
        self.by_name.insert(name.into(), Arc::new(registered));
        self
    }

    /// The names of the types, as a registration reports them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(|name| &**name)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Registered>> {
        self.by_name.get(name)
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registered")
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}

/// What a custom strategy is asked: whether this strategy lets this context in.
pub struct CustomQuestion<'a> {
    custom: &'a Custom,
    value: &'a dyn Fn(FieldId) -> Option<&'a str>,
}

impl<'a> CustomQuestion<'a> {
    /// A parameter of the strategy.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'a str> {
        self.custom.parameters.get(name).map(|value| &**value)
    }

    /// The context value of a field; `None` where it is missing or empty, and for a field that was not named when
    /// the type was registered.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<&'a str> {
        let function = self.custom.function.as_ref()?;
        let mut fields = function.registered.fields.iter().zip(&function.fields);
        let (_, id) = fields.find(|(name, _)| ***name == *field)?;
        (self.value)(*id)
    }
}

impl fmt::Debug for CustomQuestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomQuestion")
            .field("strategy", &self.custom.name)
            .field("parameters", &self.custom.parameters)
            .finish_non_exhaustive()
    }
}

/// A strategy of a type that is not Unleash's, compiled.
#[derive(Debug)]
pub(crate) struct Custom {
    pub(crate) name: Arc<str>,
    /// Its place among the strategies of its flag.
    pub(crate) place: usize,
    pub(crate) parameters: BTreeMap<Box<str>, Box<str>>,
    pub(crate) function: Option<CompiledFunction>,
}

/// A registered function, and the numbers of the fields that it asks for.
#[derive(Debug)]
pub(crate) struct CompiledFunction {
    pub(crate) registered: Arc<Registered>,
    pub(crate) fields: Box<[FieldId]>,
}

impl Custom {
    /// What the registered function says, if there is one.
    pub(crate) fn ask<'a>(&'a self, value: &'a dyn Fn(FieldId) -> Option<&'a str>) -> Option<bool> {
        let function = self.function.as_ref()?;
        Some((function.registered.function)(&CustomQuestion {
            custom: self,
            value,
        }))
    }
}

/// Results of custom strategies that the application found before it asks: given with
/// [`Ambient::with_custom_results`](crate::Ambient::with_custom_results), they count before any registered function.
///
/// ```
/// use vexil_engine::{ActivationStrategy, Ambient, Context, CustomResults, Engine, EnvironmentFlag, OffsetDateTime};
///
/// let flag = EnvironmentFlag::new("checkout", "default").with_strategy(ActivationStrategy::new("s1", "byMoonPhase"));
/// let (engine, warnings) = Engine::compile(&[flag].into_iter().collect());
/// assert_eq!(warnings.len(), 1, "nobody registered `byMoonPhase`");
///
/// let results = CustomResults::default().with_type("byMoonPhase", true);
/// let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
/// assert!(!engine.is_enabled("checkout", &Context::default(), &ambient));
/// assert!(engine.is_enabled("checkout", &Context::default(), &ambient.with_custom_results(&results)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CustomResults {
    by_place: BTreeMap<FlagName, BTreeMap<usize, bool>>,
    by_type: BTreeMap<Box<str>, bool>,
}

impl CustomResults {
    /// The same with the result of every strategy of a type.
    #[must_use]
    pub fn with_type(mut self, strategy: &str, holds: bool) -> Self {
        self.by_type.insert(strategy.into(), holds);
        self
    }

    /// The same with the result of one strategy of a flag, by its place in the list, from zero. It counts before
    /// that of its type.
    #[must_use]
    pub fn with(mut self, flag: impl Into<FlagName>, strategy: usize, holds: bool) -> Self {
        self.by_place
            .entry(flag.into())
            .or_default()
            .insert(strategy, holds);
        self
    }

    /// The result of a strategy.
    pub(crate) fn get(&self, flag: &FlagName, custom: &Custom) -> Option<bool> {
        let by_place = self
            .by_place
            .get(flag)
            .and_then(|places| places.get(&custom.place));
        by_place.or_else(|| self.by_type.get(&*custom.name)).copied()
    }
}
