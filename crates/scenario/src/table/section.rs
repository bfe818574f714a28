//! `section!`: one declaration of a section generates its entry in the table, the struct that the builder
//! uses, and the conversion from one to the other. `words!`: an enum for a key whose value is one of a few
//! words.
//!
//! Each line of a section gives: whether the key is required, its name, its type, its kind and its
//! description:
//!
//! ```text
//! required mass: f64 = number(&[&MASS], POSITIVE), "mass of a rod";          f64
//! default("0") sweeps: u64 = count(1, 1_000), "sweeps of erosion";           u64
//! lenient mass: f64 = number(...), "...";                                    Option<f64>, but must be given
//! chooser("\"lines\"") kind: FigureWord = choice(), "...";                    as default, but none stands in for a wrong one
//! optional radius: f64 = number(&[&LENGTH], POSITIVE), "of the sphere";      Option<f64>
//! derived("the soil's own") cohesion: f64 = number(...), "...";              Option<f64>
//! filled("the friction") friction_min: f64 = number(...), "...";             f64, put in by `fill_derived`
//! named joint: JointKeys, "a joint that carries a body";                     Vec<Named<JointKeys>>
//! part ground: GroundKeys, "rigid ground";                                   Option<Part<GroundKeys>>
//! group turn: TurnKeys;                                                      keys shared with other sections
//! ```
//!
//! A key whose name is not a Rust name is written `form as "type"`. A kind that does not yield the type does
//! not compile, and neither does an undeclared key: strings that name keys occur only in the table. Each key
//! is also a constant of the struct (`JointKeys::mass`), by which messages get its location.
//!
//! A key that no code reads is a warning; keys that are handled before the table is read have
//! `#[expect(dead_code)]`.
//!
//! A section in which a required key is missing or wrong yields no struct: its mistake has been reported. A
//! wrong value of an optional key counts as missing, and the default replaces it if there is one; `Here::has`
//! says whether something was written. In a `loose` section (the scenario, a machine) every key is optional,
//! so that one mistake does not hide others.

/// See the module.
macro_rules! section {
    ($(#[$meta:meta])* $vis:vis struct $keys:ident $name:literal: $about:expr; $($lines:tt)*) => {
        section!(@make strict, [$(#[$meta])* $vis $keys $name, $about] $($lines)*);
    };
    ($(#[$meta:meta])* $vis:vis loose struct $keys:ident $name:literal: $about:expr; $($lines:tt)*) => {
        section!(@make loose, [$(#[$meta])* $vis $keys $name, $about] $($lines)*);
    };
    (@make $mode:ident, [$(#[$meta:meta])* $vis:vis $keys:ident $name:literal, $about:expr]
        $(
            $(#[$note:meta])*
            $need:ident $(($how:literal))? $field:ident $(as $key:literal)? : $ty:ty $(= $kind:expr)? $(, $meaning:expr)?;
        )*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $keys {
            // Not every section is referred to by a message.
            #[allow(dead_code)]
            pub here: $crate::read::Here<$keys>,
            $($(#[$note])* pub $field: section!(@type $mode $need $ty),)*
        }

        // Not every key is referred to by a message.
        #[allow(non_upper_case_globals, dead_code)]
        impl $keys {
            $(section!(@key $need $field [$($key)?] $ty);)*
        }

        impl $crate::table::Keys for $keys {
            const SECTION: &'static $crate::table::Section = &$crate::table::Section {
                name: $name,
                about: $about,
                lines: &[$(section!(@line $need $(($how))? $field [$($key)?] $ty $(= $kind)? $(, $meaning)?)),*],
            };

            fn read(record: &$crate::read::Record) -> Option<Self> {
                section!(@whole $mode $keys record [$($need $field $ty,)*])
            }

            fn bodies(record: &$crate::read::Record) -> Vec<$crate::read::BodyName> {
                let lines: [Vec<$crate::read::BodyName>; _] =
                    [$(section!(@bodies $need $keys record $field $ty)),*];
                lines.concat()
            }
        }

        section!(@always $mode $keys [$($need $field $ty,)*]);

        impl $crate::read::KeyValue for $keys {
            fn of(found: $crate::read::Found) -> Option<Self> {
                found.table()
            }

            fn bodies(found: $crate::read::Found) -> Vec<$crate::read::BodyName> {
                found.bodies_of_table::<Self>()
            }
        }
    };

    (@bodies group $keys:ident $record:ident $field:ident $ty:ty) => {
        <$ty as $crate::table::Keys>::bodies($record)
    };
    (@bodies named $keys:ident $record:ident $field:ident $ty:ty) => { Vec::new() };
    (@bodies part $keys:ident $record:ident $field:ident $ty:ty) => { Vec::new() };
    (@bodies $need:ident $keys:ident $record:ident $field:ident $ty:ty) => { $record.bodies($keys::$field) };

    (@type $mode:ident group $ty:ty) => { $ty };
    (@type $mode:ident named $ty:ty) => { Vec<$crate::read::Named<$ty>> };
    (@type $mode:ident part $ty:ty) => { Option<$crate::read::Part<$ty>> };
    (@type loose $need:ident $ty:ty) => { Option<$ty> };
    (@type strict required $ty:ty) => { $ty };
    (@type strict default $ty:ty) => { $ty };
    (@type strict chooser $ty:ty) => { $ty };
    (@type strict filled $ty:ty) => { $ty };
    (@type strict optional $ty:ty) => { Option<$ty> };
    (@type strict derived $ty:ty) => { Option<$ty> };
    (@type strict lenient $ty:ty) => { Option<$ty> };

    (@whole strict $keys:ident $record:ident $lines:tt) => { Some(section!(@struct strict $keys $record $lines)) };
    (@whole loose $keys:ident $record:ident $lines:tt) => { Some($keys::of($record)) };
    (@always strict $keys:ident $lines:tt) => {};
    (@always loose $keys:ident $lines:tt) => {
        impl $keys {
            /// The values that could be read.
            pub fn of(record: &$crate::read::Record) -> Self {
                section!(@struct loose $keys record $lines)
            }

            /// Bodies named by tables with mistakes.
            pub fn bodies_of_broken(&self) -> Vec<&$crate::read::BodyName> {
                section!(@broken self $lines)
            }
        }
    };
    (@broken $keys:ident [$($need:ident $field:ident $ty:ty,)*]) => {{
        let mut bodies = Vec::new();
        $(section!(@broken_in bodies $keys $need $field);)*
        bodies
    }};
    (@broken_in $bodies:ident $keys:ident named $field:ident) => {
        $bodies.extend($keys.$field.iter().flat_map(|named| &named.bodies));
    };
    (@broken_in $bodies:ident $keys:ident part $field:ident) => {
        $bodies.extend($keys.$field.iter().flat_map(|part| &part.bodies));
    };
    (@broken_in $bodies:ident $keys:ident $need:ident $field:ident) => {};
    (@struct $mode:ident $keys:ident $record:ident [$($need:ident $field:ident $ty:ty,)*]) => {
        $keys {
            here: $crate::read::Here::of($record),
            $($field: section!(@read $mode $need $keys $record $field $ty),)*
        }
    };

    (@name $field:ident []) => { stringify!($field) };
    (@name $field:ident [$key:literal]) => { $key };

    (@key group $field:ident [] $ty:ty) => {};
    (@key $need:ident $field:ident [$($key:literal)?] $ty:ty) => {
        pub const $field: $crate::table::Key<Self, $ty> =
            $crate::table::Key::new(section!(@name $field [$($key)?]));
    };

    (@line group $field:ident [] $ty:ty) => {
        $crate::table::Line::Group(<$ty as $crate::table::Keys>::SECTION)
    };
    (@line named $field:ident [$($key:literal)?] $ty:ty, $meaning:expr) => {
        section!(@field $field [$($key)?] $crate::table::KeyKind::Map(<$ty as $crate::table::Keys>::SECTION),
            $crate::table::Need::Optional, $meaning)
    };
    (@line part $field:ident [$($key:literal)?] $ty:ty, $meaning:expr) => {
        section!(@field $field [$($key)?] $crate::table::KeyKind::Table(<$ty as $crate::table::Keys>::SECTION),
            $crate::table::Need::Optional, $meaning)
    };
    (@line $need:ident $(($how:literal))? $field:ident [$($key:literal)?] $ty:ty = $kind:expr, $meaning:expr) => {
        section!(@field $field [$($key)?] {
            const TYPED: $crate::table::Typed<$ty> = $kind;
            TYPED.kind()
        }, section!(@need $need $(($how))?), $meaning)
    };

    (@field $field:ident [$($key:literal)?] $kind:expr, $need:expr, $meaning:expr) => {
        $crate::table::Line::Key($crate::table::Field {
            key: section!(@name $field [$($key)?]),
            kind: $kind,
            need: $need,
            about: $meaning,
        })
    };

    (@need lenient) => { $crate::table::Need::Required };
    (@need required) => { $crate::table::Need::Required };
    (@need optional) => { $crate::table::Need::Optional };
    (@need chooser($how:literal)) => { $crate::table::Need::Default($how) };
    (@need default($how:literal)) => { $crate::table::Need::Default($how) };
    (@need derived($how:literal)) => { $crate::table::Need::Derived($how) };
    (@need filled($how:literal)) => { $crate::table::Need::Derived($how) };

    (@read $mode:ident group $keys:ident $record:ident $field:ident $ty:ty) => {
        <$ty as $crate::table::Keys>::read($record)?
    };
    (@read $mode:ident named $keys:ident $record:ident $field:ident $ty:ty) => { $record.named($keys::$field) };
    (@read $mode:ident part $keys:ident $record:ident $field:ident $ty:ty) => { $record.part($keys::$field) };
    (@read loose $need:ident $keys:ident $record:ident $field:ident $ty:ty) => { $record.get($keys::$field) };
    (@read strict optional $keys:ident $record:ident $field:ident $ty:ty) => { $record.get($keys::$field) };
    (@read strict derived $keys:ident $record:ident $field:ident $ty:ty) => { $record.get($keys::$field) };
    (@read strict default $keys:ident $record:ident $field:ident $ty:ty) => {
        $record.or_default($keys::$field)?
    };
    (@read strict lenient $keys:ident $record:ident $field:ident $ty:ty) => { $record.get($keys::$field) };
    (@read strict $need:ident $keys:ident $record:ident $field:ident $ty:ty) => { $record.get($keys::$field)? };
}

/// An enum for a key whose value is one of a few words.
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($variant),*
        }

        impl $crate::table::Words for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }

            fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }
        }

        impl $crate::read::KeyValue for $name {
            fn of(found: $crate::read::Found) -> Option<Self> {
                found.word().and_then(<$name as $crate::table::Words>::of_word)
            }
        }
    };
}

pub(crate) use {section, words};

#[cfg(test)]
mod tests {
    use crate::error::Issues;
    use crate::node;
    use crate::read::read_table;
    use crate::source::Sources;
    use crate::table::typed::{choice, number};
    use crate::table::{ANY, Keys, POSITIVE, TurnKeys, Words};
    use crate::unit::{LENGTH, MASS};

    words! {
        enum Colour { Red = "red", DarkBlue = "dark-blue" }
    }

    section! {
        struct ThingKeys "thing": "something";
        required mass: f64 = number(&[&MASS], POSITIVE), "its mass";
        default("\"red\"") colour: Colour = choice(), "its colour";
        group turn: TurnKeys;
        optional cuboid as "box": f64 = number(&[&LENGTH], ANY), "its edge";
    }

    fn read(text: &str) -> (Option<ThingKeys>, usize) {
        let (mut sources, mut issues) = (Sources::default(), Issues::default());
        let keys = node::parse(&mut sources, "thing.toml", text, &mut issues)
            .and_then(|node| ThingKeys::read(&read_table(&node, ThingKeys::SECTION, "", &mut issues)));
        (keys, issues.into_errors(sources).diagnostics.len())
    }

    /// Values, defaults and words are passed to the struct; the table lists the keys of groups at the place
    /// of the group.
    #[test]
    fn a_section_becomes_a_struct() {
        let (keys, mistakes) = read("mass_kg = 2\nyaw = \"90 deg\"\ncolour = \"dark-blue\"");
        let keys = keys.expect("sound");
        assert_eq!((keys.mass, keys.colour, keys.cuboid, mistakes), (2.0, Colour::DarkBlue, None, 0));
        assert_eq!((keys.turn.roll, keys.turn.yaw), (0.0, std::f64::consts::FRAC_PI_2));
        assert_eq!(keys.here.path_of(ThingKeys::mass), "mass_kg");
        assert!(keys.here.has(ThingKeys::mass) && !keys.here.has(ThingKeys::cuboid));
        let listed: Vec<&str> = ThingKeys::SECTION.fields().map(|field| field.key).collect();
        assert_eq!(listed, ["mass", "colour", "roll", "pitch", "yaw", "box"]);
    }

    /// A missing or wrong required key yields no struct; an optional one yields no value or the default.
    #[test]
    fn a_mistake_gives_no_struct() {
        for text in ["", "mass = \"1 m\""] {
            let (keys, mistakes) = read(text);
            assert!(keys.is_none() && mistakes == 1, "{text}: {mistakes}");
        }
        let (keys, mistakes) = read("mass_kg = 2\nbox = \"1 kg\"\ncolour = \"green\"");
        let keys = keys.expect("what must be there is there");
        assert!(keys.cuboid.is_none() && keys.here.has(ThingKeys::cuboid) && mistakes == 2);
        assert_eq!(keys.colour, Colour::Red);
    }

    /// Every word maps to its own variant, and back.
    #[test]
    fn words_are_variants() {
        for word in Colour::WORDS {
            assert_eq!(Colour::of_word(word).map(Words::word), Some(*word));
        }
        assert_eq!(Colour::of_word("blue"), None);
    }
}
