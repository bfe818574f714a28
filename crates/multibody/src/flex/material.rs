//! Materials of flexible bodies: elasticity, density, damping, and the remedies against locking.

use super::FlexError;

/// An isotropic St. Venant–Kirchhoff material: linear between Green–Lagrange strain and second Piola–Kirchhoff stress. Valid for
/// large rotations and moderate strains; under strong compression (stretch below 1/√3) it softens, which real rubber does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus E, Pa.
    pub young: f64,
    /// Poisson's ratio ν, −1 to 0.5 (both excluded).
    pub poisson: f64,
    /// Density ρ, kg/m³.
    pub density: f64,
    /// Remedy against locking of thin plates.
    pub locking: Locking,
    /// Viscous stress.
    pub damping: Damping,
}

/// Remedies against thickness locking. The plate's thickness strain is constant through the thickness, so bending with ν > 0 is too
/// stiff by (1−ν)²/(1−2ν) (1.225 at ν = 0.3) on every mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locking {
    /// The three-dimensional law everywhere: right for ν = 0 and for thick bodies.
    #[default]
    None,
    /// The thin-plate law through the thickness, and the remainder of the three-dimensional law only on the
    /// mid-surface: bending is that of a plate, and stretched membranes become thinner. Not with Kelvin–Voigt
    /// damping, because its power could then have either sign.
    Split,
    /// The thin-plate law: plane stress in the plane, thickness strain on its own, transverse shear times 5/6. Stretched sheets do not
    /// become thinner.
    PlaneStress,
    /// Assumed natural strains ([`assumed`](super::plate::assumed)): neither thickness nor curvature nor shear locks, also in curved plates with few
    /// elements. Transverse shear times 5/6.
    Assumed,
}

/// Viscous stress; both laws are objective (no power in rigid motion) and never add energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Damping {
    /// None.
    #[default]
    None,
    /// Kelvin–Voigt: S = γ·C:Ė. A mode of angular frequency ω has the damping ratio γω/2.
    KelvinVoigt {
        /// γ, s.
        time: f64,
    },
    /// Navier–Stokes, pulled back (Grossi & Shabana 2019): S = J·[λ(C⁻¹:Ė)C⁻¹ + 2μ·C⁻¹ĖC⁻¹]: the Cauchy stress of a viscous fluid.
    NavierStokes {
        /// λ, Pa·s.
        bulk: f64,
        /// μ, Pa·s.
        shear: f64,
    },
}

impl Damping {
    /// Kelvin–Voigt damping that gives a mode of this frequency (Hz) a damping ratio; ratios of other modes grow with their frequencies.
    pub fn of_mode(ratio: f64, frequency: f64) -> Self {
        Damping::KelvinVoigt { time: ratio / (std::f64::consts::PI * frequency) }
    }
}

/// Stress over strain in Voigt order 11, 22, 33, 12, 13, 23 with engineering shear; axis 3 is the normal of the plate.
pub type Moduli = [[f64; 6]; 6];

impl Material {
    /// Without remedies and damping.
    pub fn elastic(young: f64, poisson: f64, density: f64) -> Self {
        Material { young, poisson, density, locking: Locking::None, damping: Damping::None }
    }

    /// Checks the ranges.
    pub fn check(&self) -> Result<(), FlexError> {
        let positive = |what: &str, found: f64| {
            let good = found.is_finite() && found > 0.0;
            if good { Ok(()) } else { Err(out_of_range(what, "positive", found)) }
        };
        positive("young_modulus", self.young)?;
        positive("density", self.density)?;
        if !(self.poisson > -1.0 && self.poisson < 0.5) {
            return Err(out_of_range("poisson_ratio", "between -1 and 0.5", self.poisson));
        }
        match self.damping {
            Damping::None => Ok(()),
            Damping::KelvinVoigt { time } if time != 0.0 && self.locking == Locking::Split => {
                Err(out_of_range(
                    "damping_time",
                    "zero with the split law (use Navier-Stokes, or plane stress)",
                    time,
                ))
            }
            Damping::KelvinVoigt { time } if time >= 0.0 && time.is_finite() => Ok(()),
            Damping::KelvinVoigt { time } => Err(out_of_range("damping_time", "zero or more", time)),
            // Power is negative for every rate only if the bulk part 3λ + 2μ is not negative either.
            Damping::NavierStokes { shear, .. } if !(shear >= 0.0 && shear.is_finite()) => {
                Err(out_of_range("shear_viscosity", "zero or more", shear))
            }
            Damping::NavierStokes { bulk, shear }
                if !(3.0 * bulk + 2.0 * shear >= 0.0 && bulk.is_finite()) =>
            {
                Err(out_of_range("bulk_viscosity", "at least -2/3 of the shear viscosity", bulk))
            }
            Damping::NavierStokes { .. } => Ok(()),
        }
    }

    /// Lamé's λ and μ, Pa.
    pub fn lame(&self) -> (f64, f64) {
        let (E, nu) = (self.young, self.poisson);
        (E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu)))
    }

    /// Moduli at the points through the thickness, and those that act on the mid-surface alone, if any.
    pub fn moduli(&self) -> (Moduli, Option<Moduli>) {
        let (lambda, mu) = self.lame();
        let mut full = [[0.0; 6]; 6];
        for a in 0..3 {
            full[a][..3].fill(lambda);
            full[a][a] += 2.0 * mu;
            full[a + 3][a + 3] = mu;
        }
        let plane = self.young / (1.0 - self.poisson * self.poisson);
        let mut thin = [[0.0; 6]; 6];
        thin[0][0] = plane;
        thin[1][1] = plane;
        thin[0][1] = self.poisson * plane;
        thin[1][0] = thin[0][1];
        thin[2][2] = self.young;
        thin[3][3] = mu;
        thin[4][4] = SHEAR_FACTOR * mu;
        thin[5][5] = SHEAR_FACTOR * mu;
        match self.locking {
            Locking::None => (full, None),
            Locking::PlaneStress => (thin, None),
            Locking::Assumed => {
                full[4][4] *= SHEAR_FACTOR;
                full[5][5] *= SHEAR_FACTOR;
                (full, None)
            }
            Locking::Split => {
                let mut beyond = [[0.0; 6]; 6];
                for a in 0..3 {
                    (0..3).for_each(|b| beyond[a][b] = full[a][b] - thin[a][b]);
                }
                (thin, Some(beyond))
            }
        }
    }

    /// γ of Kelvin–Voigt damping, s; zero with other laws.
    pub fn damping_time(&self) -> f64 {
        match self.damping {
            Damping::KelvinVoigt { time } => time,
            _ => 0.0,
        }
    }
}

/// Reissner's correction of the transverse shear stiffness of a plate, whose shear stress is a parabola.
const SHEAR_FACTOR: f64 = 5.0 / 6.0;

pub(crate) fn out_of_range(what: &str, allowed: &'static str, found: f64) -> FlexError {
    FlexError::OutOfRange { what: what.into(), allowed, found }
}
