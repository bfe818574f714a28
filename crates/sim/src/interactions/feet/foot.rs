//! A foot on its link, and the plane below it.

use crate::description::{FootContact, WorldDescription};
use crate::engine::simulation::WorldError;
use crate::interactions::ground::RigidGround;
use crate::interactions::sides::Side;
use touchdown_contact::foot::{Foot, FootForce, GroundPlane, STATES, SolePart, SurfaceMotion};
use touchdown_contact::tyre::NoGround;
use touchdown_geometry::surface::Patch;
use touchdown_math::{Elementary, Pose, Vec3};
use touchdown_multibody::rigid::Model;

/// Steps to the closest point of curved ground; each multiplies the error by depth over radius of curvature.
const STEPS: usize = 20;

/// A foot on its link, or a part of its sole.
#[derive(Clone, Debug)]
pub(crate) struct FootOnLink {
    pub name: String,
    /// The foot that it belongs to, and its position in the frame of that foot, m.
    pub of: usize,
    pub place: Vec3,
    pub share: f64,
    pub foot: Foot,
    pub side: Side,
    /// First of its contact states.
    pub first: usize,
    /// Plane below it at the last evaluation, with a cached patch, and the place of missing ground.
    pub plane: GroundPlane,
    patch: Option<Patch>,
    pub lost: Option<NoGround>,
    /// Force at the last evaluation.
    pub force: FootForce,
    /// Speed of its lowest point along the ground at the last evaluation, m/s.
    pub slip: f64,
}

impl FootOnLink {
    /// Those of a description with their own law, with contact states from `first` on.
    pub fn all(
        description: &WorldDescription,
        model: &Model,
        first: usize,
    ) -> Result<Vec<FootOnLink>, Vec<WorldError>> {
        let (mut feet, mut errors) = (Vec::new(), Vec::new());
        let with_law = super::with_law(description);
        for (of, contact) in with_law.enumerate() {
            if RigidGround::new(description).is_none() {
                errors.push(WorldError::NoFootGround { foot: contact.name.clone() });
            }
            let error = |problem| WorldError::Foot { foot: contact.name.clone(), problem };
            match Foot::new(contact.law) {
                Err(problems) => errors.extend(problems.into_iter().map(error)),
                Ok(foot) => {
                    for (k, part) in contact.law.shape.parts().into_iter().enumerate() {
                        let at = first + STATES * feet.len();
                        let foot = foot.part(k as u32, part.share);
                        feet.push(FootOnLink::new((of, contact), (foot, part), model, at));
                    }
                }
            }
        }
        if errors.is_empty() { Ok(feet) } else { Err(errors) }
    }

    fn new(
        (of, contact): (usize, &FootContact),
        (foot, part): (Foot, SolePart),
        model: &Model,
        first: usize,
    ) -> FootOnLink {
        let plane = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
        // Far above the ground, without any force.
        let away = SurfaceMotion {
            X_WS: Pose::translation(Vec3::z() * 1e3),
            v_WS: Vec3::zeros(),
            w_WS: Vec3::zeros(),
        };
        FootOnLink {
            name: contact.name.clone(),
            of,
            place: part.place,
            share: part.share,
            side: Side::new(
                model,
                Some(contact.body),
                &contact.X_BF.compose(&Pose::translation(part.place)),
                0.0,
            ),
            first,
            force: foot.calc_force(&away, &plane, &[0.0; STATES]),
            plane,
            patch: None,
            lost: None,
            slip: 0.0,
            foot,
        }
    }

    pub fn states(&self, z: &[f64]) -> [f64; STATES] {
        std::array::from_fn(|k| z[self.first + k])
    }

    /// Finds the plane below the foot.
    pub fn stand(&mut self, ground: &Option<RigidGround>, motion: &SurfaceMotion) {
        self.lost = None;
        match ground {
            None => {}
            Some(RigidGround::Plane(plane)) => self.plane = *plane,
            Some(RigidGround::Surface(surface)) => {
                let p = motion.X_WS.p;
                let mut at = [p.x, p.y];
                for _ in 0..STEPS {
                    match surface.jet_with(&mut self.patch, at[0], at[1]) {
                        Err(why) => {
                            self.lost = Some(NoGround { at, why });
                            // Missing ground is treated as ground far below.
                            self.plane = GroundPlane { point: p - Vec3::z() * 1e3, normal: Vec3::z() };
                            return;
                        }
                        Ok(jet) => {
                            let normal = jet.normal();
                            let point = Vec3::new(at[0], at[1], jet.z);
                            self.plane = GroundPlane { point, normal };
                            let below = p - normal * normal.dot(&(p - point));
                            let step = (below.x - at[0]).hypotenuse(below.y - at[1]);
                            if step < 1e-13 {
                                return;
                            }
                            at = [below.x, below.y];
                        }
                    }
                }
            }
        }
    }
}
