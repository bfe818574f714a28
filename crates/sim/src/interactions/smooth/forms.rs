//! Forms of the sides of smooth contacts, for drawing.

use std::f64::consts::TAU;
use touchdown_contact::surface::Form;
use touchdown_geometry::surface::BodySurface;
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Segments around a full circle of a form that is drawn as a mesh.
const SEGMENTS: u32 = 48;

/// A form as something to draw, in its own frame.
pub fn shape(form: &Form) -> Shape {
    match form {
        Form::Body(BodySurface::Sphere { radius }) => Shape::Sphere { radius: *radius },
        Form::Body(BodySurface::Cylinder { radius, half_length }) => {
            Shape::Cylinder { radius: *radius, length: 2.0 * half_length }
        }
        Form::Body(BodySurface::Ellipsoid { semi_axes }) => {
            let mut mesh = Shape::Sphere { radius: 1.0 }.triangulate(SEGMENTS);
            let a = Vec3::from(*semi_axes);
            mesh.vertices.iter_mut().for_each(|p| *p = p.component_mul(&a));
            Shape::Mesh(mesh)
        }
        Form::Body(BodySurface::Torus { radius, tube }) => Shape::Mesh(torus(*radius, *tube)),
        Form::Mesh { mesh, .. } => Shape::Mesh(mesh.clone()),
        // Ground belongs to no body.
        Form::Height(_) => Shape::Mesh(TriangleMesh::default()),
    }
}

fn torus(radius: f64, tube: f64) -> TriangleMesh {
    let (around, across) = (SEGMENTS, SEGMENTS / 2);
    let mut mesh = TriangleMesh::default();
    for i in 0..around {
        let (s, c) = (TAU * f64::from(i) / f64::from(around)).sine_cosine();
        for j in 0..across {
            let (t, d) = (TAU * f64::from(j) / f64::from(across)).sine_cosine();
            let out = radius + tube * d;
            mesh.vertices.push(Vec3::new(out * c, out * s, tube * t));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    for i in 0..around {
        for j in 0..across {
            mesh.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            mesh.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn drawn_forms_are_closed_and_nearly_as_large_as_the_true_ones() {
        // 2π²Rr² and 4/3 π abc; inscribed polygons of 48 and 24 corners lose some 2 %.
        let ring = torus(0.4, 0.1);
        assert!(ring.is_closed());
        let volume = 2.0 * PI * PI * 0.4 * 0.01;
        assert!((0.97..1.0).contains(&(ring.volume() / volume)), "{}", ring.volume() / volume);
        let Shape::Mesh(egg) = shape(&Form::Body(BodySurface::Ellipsoid { semi_axes: [0.3, 0.2, 0.1] }))
        else {
            panic!("an ellipsoid is drawn as a mesh")
        };
        let volume = 4.0 / 3.0 * PI * 0.006;
        assert!(egg.is_closed() && (0.97..1.0).contains(&(egg.volume() / volume)));
    }
}
