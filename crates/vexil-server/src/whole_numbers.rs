//! Whole numbers as arguments: one that is none, or too small or large, is told with what is allowed.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a whole number within bounds.
pub(crate) fn whole<N>(bounds: RangeInclusive<N>) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Clone,
{
    move |text: &str| {
        let found = text.parse::<N>().ok().filter(|number| bounds.contains(number));
        found.ok_or_else(|| {
            format!(
                "it must be a whole number from {} to {}",
                bounds.start(),
                bounds.end()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use clap::{Arg, Command, CommandFactory};

    use crate::arguments::Arguments;

    fn is_number(argument: &Arg) -> bool {
        let kind = argument.get_value_parser().type_id();
        let numbers = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<i64>(),
        ];
        numbers.iter().any(|number| kind == *number)
    }

    /// Each option that is a number, as the arguments that lead to it.
    fn numbers(command: &Command, path: &[String]) -> Vec<Vec<String>> {
        let own = command.get_arguments().filter(|argument| is_number(argument));
        let own = own.filter_map(Arg::get_long);
        let mut found: Vec<Vec<String>> = own
            .map(|name| path.iter().cloned().chain([format!("--{name}")]).collect())
            .collect();
        for below in command.get_subcommands() {
            let path: Vec<String> = path
                .iter()
                .cloned()
                .chain([below.get_name().to_owned()])
                .collect();
            found.extend(numbers(below, &path));
        }
        found
    }

    #[test]
    fn every_number_that_cannot_be_is_told_with_its_option_and_what_is_allowed() {
        let command = Arguments::command();
        let all = numbers(&command, &["vexil".to_owned()]);
        assert!(all.len() > 15, "{all:?}");
        for path in all {
            let option = path.last().unwrap();
            for wrong in ["-1", "1.5", "x", "99999999999999999999"] {
                let mut line = path.clone();
                line.pop();
                line.push(format!("{option}={wrong}"));
                let refused = command
                    .clone()
                    .try_get_matches_from(&line)
                    .unwrap_err()
                    .to_string();
                let first = refused.lines().next().unwrap();
                assert!(
                    first.contains(option.as_str()) && first.contains("it must be a whole number from "),
                    "{refused}"
                );
            }
        }
    }
}
