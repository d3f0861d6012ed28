//! The document that a browser gets for every page: it names the files and says who is signed in.

use crate::{DIGEST, names};

/// The policy for pages: scripts, styles and data from this server alone, nothing inline, no markup made from text.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// Colours that somebody chose, in place of the system's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark text on a light page.
    Light,
    /// Light text on a dark page.
    Dark,
}

impl Theme {
    /// The theme of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "light" => Some(Self::Light),
            "dark" => Some(Self::Dark),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// What the shell tells the pages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shell<'a> {
    /// The base path of the server: empty, or with a slash before and none behind it.
    pub base: &'a str,
    /// The file that shows the page, loaded at once; see [`page_of`](crate::page_of).
    pub page: Option<&'a str>,
    /// Who is signed in and the limits of the server, as JSON; `null` for nobody.
    pub session: &'a str,
    /// Answers that the page asks for first, by the paths below `api/admin/` that it asks them at, as a JSON object.
    pub given: &'a str,
    /// The colours.
    pub theme: Option<Theme>,
}

/// A flag on a pole, as a picture in an address.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 1v14' \
    stroke='%23808a86' stroke-width='1.6' stroke-linecap='round'/%3E%3Cpath d='M4 2h9l-2.5 3L13 8H4z' fill='%23d9512c'/%3E%3C/svg%3E";

/// The document.
#[must_use]
pub fn shell(shell: &Shell<'_>) -> String {
    let base = escaped(shell.base);
    let files = format!("{base}/ui/files/{DIGEST}");
    let theme = shell
        .theme
        .map_or(String::new(), |theme| format!(" data-theme=\"{}\"", theme.name()));
    let page = shell.page.map(|page| format!("{page}.js"));
    let page = page.filter(|page| names().any(|name| name == page));
    let page = page.map_or(String::new(), |page| {
        format!("<link rel=\"modulepreload\" href=\"{files}/{page}\">\n")
    });
    format!(
        "<!doctype html>\n\
         <html lang=\"en\" data-base=\"{base}\" data-files=\"{files}\" data-session=\"{session}\" data-given=\"{given}\"{theme}>\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Vexil</title>\n\
         <link rel=\"icon\" href=\"{ICON}\">\n\
         <link rel=\"stylesheet\" href=\"{files}/app.css\">\n\
         <link rel=\"modulepreload\" href=\"{files}/core.js\">\n\
         {page}\
         </head>\n\
         <body>\n\
         <noscript><p class=\"note\">These pages need JavaScript. What they show is also told by <code>vexil preview</code> and \
         by the HTTP API.</p></noscript>\n\
         <script type=\"module\" src=\"{files}/core.js\"></script>\n\
         </body>\n\
         </html>\n",
        session = escaped(shell.session),
        given = escaped(shell.given),
    )
}

/// Text for HTML: inside elements, and inside attributes in quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
