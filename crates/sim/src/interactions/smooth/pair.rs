//! A pair of smooth surfaces: conversion of its description to its links.

use crate::description::{Ground, SmoothContact, WorldDescription};
use crate::engine::simulation::WorldError;
use crate::interactions::sides::Side;
use touchdown_contact::surface::{
    ContactPoint, Form, NormalLaw, PairScratch, SmoothForce, SmoothTangent, SurfacePair,
};
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface};
use touchdown_math::Elementary;
use touchdown_math::Pose;
use touchdown_multibody::rigid::Model;

/// A pair of smooth surfaces on their links.
#[derive(Clone, Debug)]
pub(crate) struct PairOnLinks {
    pub name: String,
    pub pair: SurfacePair,
    pub law: NormalLaw,
    pub threshold: f64,
    /// Slots for candidates.
    pub most: usize,
    /// Smallest radius of the second side, m, to which a penetration is compared.
    pub radius: f64,
    pub sides: [Side; 2],
    /// First contact state.
    pub z: usize,
    pub nz: usize,
    pub scratch: PairScratch,
    pub tangent: Box<SmoothTangent>,
    /// Result of the last evaluation. Written by `evaluate_pair`.
    pub force: Box<SmoothForce>,
}

impl PairOnLinks {
    /// Bodies of both sides; `None` is the world.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        [0, 1].map(|k| self.sides[k].body)
    }

    /// All of a description, after `nz` contact states of others.
    pub fn all(
        description: &WorldDescription,
        model: &Model,
        mut nz: usize,
    ) -> Result<Vec<PairOnLinks>, Vec<WorldError>> {
        let (mut pairs, mut errors) = (Vec::new(), Vec::new());
        for contact in &description.contacts {
            match PairOnLinks::new(contact, description, model, nz) {
                Ok(pair) => {
                    nz += pair.nz;
                    pairs.push(pair);
                }
                Err(problems) => errors.extend(problems),
            }
        }
        if errors.is_empty() { Ok(pairs) } else { Err(errors) }
    }

    fn new(
        contact: &SmoothContact,
        description: &WorldDescription,
        model: &Model,
        z: usize,
    ) -> Result<PairOnLinks, Vec<WorldError>> {
        let name = contact.name.clone();
        let one = match &contact.one {
            Some(side) => side.form.clone(),
            None => match description.ground.as_ref().and_then(as_surface) {
                Some(surface) => Form::Height(surface),
                None => return Err(vec![WorldError::NoSurface { contact: name }]),
            },
        };
        let reach = |form: &Form| extent(form).1;
        let on_link = |body: usize, X_BS: &Pose, form: &Form| Side::new(model, Some(body), X_BS, reach(form));
        let ground = || Side::new(model, None, &Pose::identity(), 0.0);
        let first = contact.one.as_ref().map_or_else(ground, |s| on_link(s.body, &s.X_BS, &s.form));
        let two = &contact.two;
        let sides = [first, on_link(two.body, &two.X_BS, &two.form)];
        let options = contact.options;
        let pair = SurfacePair::new(one, two.form.clone(), contact.law, options).map_err(|problems| {
            let error = |problem| WorldError::Contact { contact: name.clone(), problem };
            problems.into_iter().map(error).collect::<Vec<_>>()
        })?;
        Ok(PairOnLinks {
            name,
            law: contact.law.normal,
            threshold: options.threshold,
            most: options.most,
            radius: extent(&two.form).0,
            sides,
            z,
            nz: pair.states(),
            pair,
            scratch: PairScratch::default(),
            tangent: Box::default(),
            force: Box::default(),
        })
    }

    /// Contact states.
    pub fn states(&self) -> usize {
        self.nz
    }

    /// The candidate with the smallest gap at the last evaluation.
    pub fn nearest(&self) -> Option<&ContactPoint> {
        self.candidates().min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// All candidates of the last evaluation.
    pub fn candidates(&self) -> impl Iterator<Item = &ContactPoint> {
        self.force.contacts[..self.force.count].iter()
    }

    /// Candidates that touch.
    pub fn touching(&self) -> usize {
        self.candidates().filter(|c| c.gap < 0.0).count()
    }

    /// Function with the law's kink at zero, other than touching: positive where it pushes.
    pub fn push_sign(&self, c: &ContactPoint) -> f64 {
        match self.law {
            NormalLaw::Linear { stiffness, damping } => -stiffness * c.gap - damping * c.gap_rate,
            NormalLaw::HuntCrossley { damping, .. } | NormalLaw::Hertz { damping, .. } => {
                1.0 - damping * c.gap_rate
            }
        }
    }
}

/// The ground as a smooth surface; `None` for soil and for a wall.
fn as_surface(ground: &Ground) -> Option<HeightSurface> {
    match ground {
        Ground::Surface(surface) => Some((**surface).clone()),
        Ground::Plane { point, normal } if normal.z > 0.0 => {
            let gradient = [-normal.x / normal.z, -normal.y / normal.z];
            let height = point.z - gradient[0] * point.x - gradient[1] * point.y;
            Some(HeightSurface::new(HeightForm::Plane { height, gradient }))
        }
        Ground::Plane { .. } | Ground::Soil(_) => None,
    }
}

/// Smallest radius of a form, and the distance of its farthest point from its frame's origin, m.
fn extent(form: &Form) -> (f64, f64) {
    match form {
        Form::Height(_) => (f64::INFINITY, 0.0),
        Form::Body(BodySurface::Sphere { radius }) => (*radius, *radius),
        Form::Body(BodySurface::Ellipsoid { semi_axes }) => {
            let (least, most) = (
                semi_axes.iter().copied().fold(f64::INFINITY, f64::min),
                semi_axes.iter().copied().fold(0.0, f64::max),
            );
            (least, most)
        }
        Form::Body(BodySurface::Cylinder { radius, half_length }) => {
            (*radius, radius.hypotenuse(*half_length))
        }
        Form::Body(BodySurface::Torus { radius, tube }) => (*tube, radius + tube),
        Form::Mesh { mesh, radius } => {
            (*radius, mesh.vertices.iter().map(|p| p.norm()).fold(0.0, f64::max) + radius)
        }
    }
}
