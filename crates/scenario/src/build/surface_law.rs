//! Laws of smooth contact and of points of flexible bodies: normal force and friction, each with keys of its
//! own.

use super::Builder;
use crate::read::{Here, Quantity};
use crate::table::{
    ContactKeys, FlexibleContactKeys, FlexibleNormalWord, FrictionWord, NormalWord, SmoothFrictionWord, Words,
};
use crate::unit::{AREAL_DAMPING, DAMPING, Dim, SLOWNESS};
use touchdown_contact::surface::{FrictionLaw, NormalLaw, SurfaceLaw};

/// The keys of a law, from either section.
pub(crate) struct LawKeys<'k, S> {
    here: &'k Here<S>,
    normal_law: NormalWord,
    friction_law: SmoothFrictionWord,
    stiffness: Option<f64>,
    coefficient: Option<f64>,
    exponent: Option<f64>,
    modulus: Option<f64>,
    damping: Option<&'k Quantity>,
    /// Unit of a linear law's damping.
    linear_damping: &'static Dim,
    friction: Option<f64>,
    friction_speed: Option<f64>,
    friction_min: Option<f64>,
    tangential_stiffness: Option<f64>,
    tangential_damping: Option<f64>,
}

impl<'k> From<&'k ContactKeys> for LawKeys<'k, ContactKeys> {
    fn from(keys: &'k ContactKeys) -> Self {
        LawKeys {
            here: &keys.here,
            normal_law: keys.normal_law,
            friction_law: keys.friction_law,
            stiffness: keys.stiffness,
            coefficient: keys.coefficient,
            exponent: keys.exponent,
            modulus: keys.modulus,
            damping: keys.damping.as_ref(),
            linear_damping: &DAMPING,
            friction: keys.friction,
            friction_speed: keys.friction_speed,
            friction_min: keys.friction_min,
            tangential_stiffness: keys.tangential_stiffness,
            tangential_damping: keys.tangential_damping,
        }
    }
}

impl<'k> From<&'k FlexibleContactKeys> for LawKeys<'k, FlexibleContactKeys> {
    fn from(keys: &'k FlexibleContactKeys) -> Self {
        LawKeys {
            here: &keys.here,
            normal_law: match keys.normal_law {
                FlexibleNormalWord::Linear => NormalWord::Linear,
                FlexibleNormalWord::HuntCrossley => NormalWord::HuntCrossley,
            },
            friction_law: match keys.friction_law {
                FrictionWord::StickSlip => SmoothFrictionWord::StickSlip,
                FrictionWord::Regularised => SmoothFrictionWord::Regularised,
                FrictionWord::None => SmoothFrictionWord::None,
            },
            stiffness: keys.stiffness,
            coefficient: keys.coefficient,
            exponent: keys.exponent,
            modulus: None,
            damping: keys.damping.as_ref(),
            linear_damping: &AREAL_DAMPING,
            friction: keys.friction,
            friction_speed: keys.friction_speed,
            friction_min: keys.friction_min,
            tangential_stiffness: keys.tangential_stiffness,
            tangential_damping: keys.tangential_damping,
        }
    }
}

/// A key that applies only to some choices of another key.
struct Owned {
    key: &'static str,
    value: Option<f64>,
    chooser: &'static str,
    chosen: &'static str,
    choices: Vec<&'static str>,
    needed: bool,
}

impl<S> LawKeys<'_, S> {
    /// Keys of the laws with the choices they apply to. Both sections use the same names.
    fn owned(&self) -> Vec<Owned> {
        let of_normal = |key: &'static str, value: Option<f64>, law: NormalWord, needed: bool| Owned {
            key,
            value,
            chooser: ContactKeys::normal_law.name(),
            chosen: self.normal_law.word(),
            choices: vec![law.word()],
            needed,
        };
        let of_friction = |key: &'static str, value: Option<f64>, creeps: bool, needed: bool| {
            let mut choices = vec![SmoothFrictionWord::StickSlip.word()];
            if creeps {
                choices.insert(0, SmoothFrictionWord::Regularised.word());
            }
            let (chooser, chosen) = (ContactKeys::friction_law.name(), self.friction_law.word());
            Owned { key, value, chooser, chosen, choices, needed }
        };
        vec![
            of_normal(ContactKeys::stiffness.name(), self.stiffness, NormalWord::Linear, true),
            of_normal(ContactKeys::coefficient.name(), self.coefficient, NormalWord::HuntCrossley, true),
            of_normal(ContactKeys::exponent.name(), self.exponent, NormalWord::HuntCrossley, false),
            of_normal(ContactKeys::modulus.name(), self.modulus, NormalWord::Hertz, true),
            of_friction(ContactKeys::friction.name(), self.friction, true, true),
            of_friction(ContactKeys::friction_speed.name(), self.friction_speed, true, false),
            of_friction(ContactKeys::friction_min.name(), self.friction_min, false, false),
            of_friction(ContactKeys::tangential_stiffness.name(), self.tangential_stiffness, false, true),
            of_friction(ContactKeys::tangential_damping.name(), self.tangential_damping, false, true),
        ]
    }
}

impl Builder<'_> {
    /// The law of a contact; nothing after a mistake.
    pub fn surface_law<S>(&mut self, keys: &LawKeys<S>) -> Option<SurfaceLaw> {
        let sound = self.check_owned(keys);
        let damping = self.normal_damping(keys)?;
        if !sound {
            return None;
        }
        let normal = match keys.normal_law {
            NormalWord::Linear => NormalLaw::Linear { stiffness: keys.stiffness?, damping },
            NormalWord::HuntCrossley => {
                NormalLaw::HuntCrossley { stiffness: keys.coefficient?, exponent: keys.exponent?, damping }
            }
            NormalWord::Hertz => NormalLaw::Hertz { modulus: keys.modulus?, damping },
        };
        let friction = match keys.friction_law {
            SmoothFrictionWord::None => FrictionLaw::Frictionless,
            SmoothFrictionWord::Regularised => {
                FrictionLaw::Regularised { coefficient: keys.friction?, speed: keys.friction_speed? }
            }
            SmoothFrictionWord::StickSlip => FrictionLaw::StickSlip {
                stick: keys.friction?,
                slip: keys.friction_min?,
                speed: keys.friction_speed?,
                stiffness: keys.tangential_stiffness?,
                damping: keys.tangential_damping?,
            },
        };
        Some(SurfaceLaw { normal, friction })
    }

    /// Keys that a law requires must be given; those of other laws must not.
    fn check_owned<S>(&mut self, keys: &LawKeys<S>) -> bool {
        let mut sound = true;
        for Owned { key, value, chooser, chosen, choices, needed } in keys.owned() {
            let has = choices.contains(&chosen);
            let given = keys.here.given().find(|(name, ..)| *name == key);
            if has && needed && value.is_none() {
                let what = format!("needs {key}, because its {chooser} is {chosen}");
                self.issues.at(keys.here.loc, &keys.here.path, what);
                sound = false;
            } else if let (false, Some((_, loc, path))) = (has, given) {
                let what = format!("means nothing where {chooser} is {chosen}");
                let hint = format!("{chooser} = \"{}\" has it", choices.join("\" or \""));
                self.issues.at(loc, path, what).hint(hint);
                sound = false;
            }
        }
        sound
    }

    /// Damping in the unit of the law; zero if not given.
    fn normal_damping<S>(&mut self, keys: &LawKeys<S>) -> Option<f64> {
        let Some(damping) = keys.damping else { return Some(0.0) };
        let wanted = if keys.normal_law == NormalWord::Linear { keys.linear_damping } else { &SLOWNESS };
        if *damping.dim == *wanted || damping.dim.suffix.is_empty() {
            return Some(damping.value);
        }
        self.issues
            .at(damping.loc, &damping.path, format!("does not suit the law {}", keys.normal_law.word()))
            .found(format!("{} ({})", damping.dim.with_article(), damping.dim.unit))
            .hint(format!("give it in {}", wanted.unit));
        None
    }
}
