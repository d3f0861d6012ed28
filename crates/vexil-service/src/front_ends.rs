//! From which pages front ends may ask.

use crate::origin::normal;

/// From which pages front ends may ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontEndOptions {
    /// The origins of those pages, such as `https://shop.example.com`; `None` for all.
    pub origins: Option<Vec<String>>,
    /// For how long browsers remember that they may, in seconds.
    pub max_age: u32,
}

impl Default for FrontEndOptions {
    /// From any page; browsers remember it for a day.
    fn default() -> Self {
        Self {
            origins: None,
            max_age: 86_400,
        }
    }
}

/// The text is no origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` must be `*` or a scheme and a host, such as `https://shop.example.com`")]
pub struct OriginError(pub String);

impl FrontEndOptions {
    /// The options for these origins, of which `*` stands for all.
    ///
    /// # Errors
    ///
    /// When one of them is none, and so no page could ever come from it.
    pub fn new(origins: &[String], max_age: u32) -> Result<Self, OriginError> {
        let mut read = Vec::new();
        for text in origins
            .iter()
            .map(|text| text.trim())
            .filter(|text| !text.is_empty())
        {
            if text == "*" {
                return Ok(Self {
                    origins: None,
                    max_age,
                });
            }
            let origin = normal(text).ok_or_else(|| OriginError(text.to_owned()))?;
            read.push(origin);
        }
        Ok(Self {
            origins: Some(read),
            max_age,
        })
    }

    /// From where a page may read the answer, as a page from `origin` is told; `None` for one that may not.
    #[must_use]
    pub fn allowed<'a>(&self, origin: Option<&'a str>) -> Option<&'a str> {
        let Some(origins) = &self.origins else {
            return Some("*");
        };
        let origin = origin?;
        origins.contains(&normal(origin)?).then_some(origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_no_page_could_come_from_is_refused() {
        let read = |text: &str| FrontEndOptions::new(&[text.to_owned()], 1).map(|it| it.origins);
        assert_eq!(read("*"), Ok(None));
        assert_eq!(
            read("https://Shop.example.com:8080"),
            Ok(Some(vec!["https://shop.example.com:8080".to_owned()]))
        );
        assert_eq!(
            read("https://shop.example.com:443"),
            Ok(Some(vec!["https://shop.example.com".to_owned()]))
        );
        for wrong in [
            "shop.example.com",
            "https://",
            "https://x/",
            "https://x/y",
            "https://*.x",
            "https://bücher.example",
            "https://x:port",
        ] {
            assert_eq!(read(wrong), Err(OriginError(wrong.to_owned())));
        }
    }
}
