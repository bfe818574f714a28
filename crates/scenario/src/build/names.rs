//! Names: bodies, points and joints are looked up; a missing name is reported with the most similar one.

use super::Builder;
use crate::error::nearest;
use crate::read::{AttachSpec, Here, Quantity, Text};
use crate::source::Loc;
use crate::unit::{ANGLE, Dim, SPIN, TORQUE, TORSION, TORSION_DAMPING};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::{Attachment, BodyRef, JointAxis};

/// A joint coordinate that was looked up.
#[derive(Clone, Copy)]
pub(crate) struct Coordinate {
    pub axis: JointAxis,
    pub angular: bool,
}

impl Builder<'_> {
    /// A body by its name inside a scope, or by its full name; `None` after a mistake.
    pub fn body(&mut self, scope: usize, name: &Text) -> Option<BodyRef> {
        self.find_body(scope, name, name.loc, &name.path)
    }

    /// Names of bodies in tables with mistakes: nothing is built from these, but unknown names are reported
    /// with the other mistakes.
    pub fn check_broken(&mut self) {
        for s in 0..self.scopes.len() {
            for name in self.scopes[s].broken.clone() {
                self.body(s, name);
            }
        }
    }

    /// A body that must not be the world.
    pub fn moving_body(&mut self, scope: usize, name: &Text) -> Option<usize> {
        let body = self.body(scope, name)?;
        if body.is_none() {
            self.issues.at(name.loc, &name.path, "cannot be the world");
        }
        body
    }

    /// The same as [`Builder::body`] for a name that is part of a value.
    pub fn find_body(&mut self, scope: usize, name: &str, loc: Loc, path: &str) -> Option<BodyRef> {
        if name == "world" || name == "ground" {
            return Some(None);
        }
        let local = format!("{}{name}", self.scopes[scope].prefix);
        if let Some(i) = self.bodies.get(&local).or_else(|| self.bodies.get(name)) {
            return Some(Some(*i));
        }
        // A rig with a mistake has created none of its bodies.
        if self.root.rig.is_some() && self.rig().is_none() {
            return None;
        }
        let candidates = self.bodies.keys().map(String::as_str).chain(["world"]);
        let near = nearest(&local, candidates).map(str::to_string);
        let issue =
            self.issues.at(loc, path, "names a body that does not exist").found(format!("\"{name}\""));
        match near {
            Some(near) => issue.hint(format!("did you mean \"{near}\"?")),
            None => issue.hint("every body needs a [body.NAME] table; \"world\" is always there"),
        };
        None
    }

    /// A point of a body.
    pub fn attachment(&mut self, scope: usize, spec: &AttachSpec, path: &str) -> Option<Attachment> {
        let body = self.find_body(scope, &spec.body, spec.loc, path)?;
        let p_BF = match (&spec.point, spec.position, spec.at) {
            (Some(point), _, _) => self.named_point(scope, body, point, spec.loc, path)?,
            (None, Some(position), _) => position,
            (None, None, Some(at)) => self.in_body(scope, body, &at),
            (None, None, None) => Vec3::zeros(),
        };
        Some(Attachment::point(body, p_BF))
    }

    fn named_point(
        &mut self,
        scope: usize,
        body: BodyRef,
        point: &str,
        loc: Loc,
        path: &str,
    ) -> Option<Vec3> {
        if let ("centre_of_mass", Some(i)) = (point, body) {
            return Some(self.mechanism.bodies[i].com);
        }
        let home = body.map_or(scope, |i| self.scope_of_body[i]);
        let names = [home, scope].map(|s| format!("{}{point}", self.scopes[s].prefix));
        let named = names.iter().filter_map(|name| self.points.get(*self.point_names.get(name)?));
        if let Some(found) = named.into_iter().find(|p| p.at.body == body) {
            return Some(found.at.X_BF.p);
        }
        let of_body: Vec<String> =
            self.points.iter().filter(|p| p.at.body == body).map(|p| p.name.clone()).collect();
        let near = nearest(&names[0], of_body.iter().map(String::as_str).chain(["centre_of_mass"]))
            .map(str::to_string);
        let issue = self
            .issues
            .at(loc, path, "names a point that the body does not have")
            .found(format!("\"{point}\""));
        match near {
            Some(near) => {
                issue.hint(format!("did you mean \"{}\"?", near.rsplit('/').next().unwrap_or(&near)))
            }
            None => issue.hint(format!("add [point.{point}] with body and position")),
        };
        None
    }

    /// A joint coordinate `JOINT` or `JOINT.1`; `None` after a mistake.
    pub fn coordinate(&mut self, scope: usize, text: &Text) -> Option<Coordinate> {
        let (loc, path) = (text.loc, &text.path);
        let (name, index) = split_index(text);
        let local = format!("{}{name}", self.scopes[scope].prefix);
        let found = self.joints.get(&local).or_else(|| self.joints.get(name)).copied();
        let Some(entry) = found else {
            let near = nearest(&local, self.joints.keys().map(String::as_str)).map(str::to_string);
            let issue =
                self.issues.at(loc, path, "names a joint that does not exist").found(format!("\"{name}\""));
            if let Some(near) = near {
                issue.hint(format!("did you mean \"{near}\"?"));
            }
            return None;
        };
        self.checked_coordinate(entry?, index, loc, path)
    }

    /// Joints whose names match a pattern with `*`, in the order of the mechanism, without fixed ones if any
    /// can move; a mistake if none matches.
    pub fn matching(&mut self, scope: usize, pattern: &Text) -> Vec<(usize, Option<usize>)> {
        let (loc, path) = (pattern.loc, &pattern.path);
        let (pattern, index) = split_index(pattern);
        let local = format!("{}{pattern}", self.scopes[scope].prefix);
        let hits = |p: &str| -> Vec<usize> {
            if !p.contains('*') {
                return self.joints.get(p).copied().flatten().into_iter().collect();
            }
            let joints = &self.mechanism.joints;
            let mut named: Vec<usize> = (0..joints.len()).filter(|i| glob(p, &joints[*i].name)).collect();
            if named.iter().any(|i| joints[*i].kind.rates() > 0) {
                named.retain(|i| joints[*i].kind.rates() > 0);
            }
            named
        };
        let mut found = hits(&local);
        if found.is_empty() {
            found = hits(pattern);
        }
        if found.is_empty() && !matches!(self.joints.get(&local), Some(None)) {
            // Compares the part before the star with names shortened to the same length.
            let stem = local.split('*').next().unwrap_or(&local);
            let star = if pattern.contains('*') { "*" } else { "" };
            let cut = |name: &String| name.chars().take(stem.chars().count()).collect::<String>();
            let names: Vec<String> = self
                .joints
                .keys()
                .take(2_000)
                .map(|n| if star.is_empty() { n.clone() } else { cut(n) })
                .collect();
            let near = nearest(stem, names.iter().map(String::as_str));
            let issue = self.issues.at(loc, path, "matches no joint").found(format!("\"{pattern}\""));
            match near {
                Some(near) => issue.hint(format!("did you mean \"{near}{star}\"?")),
                None => issue.hint("* stands for any text"),
            };
        }
        found.into_iter().map(|i| (i, index)).collect()
    }

    /// Checks that a joint has the coordinate; returns whether it is an angle.
    pub fn checked_coordinate(
        &mut self,
        joint: usize,
        index: Option<usize>,
        loc: Loc,
        path: &str,
    ) -> Option<Coordinate> {
        let axis = index.unwrap_or(0);
        let kind = self.mechanism.joints[joint].kind;
        let angular = match kind.turning_axes().get(axis) {
            Some(angular) => *angular,
            None => {
                let name = self.mechanism.joints[joint].name.clone();
                self.issues
                    .at(loc, path, format!("names motion {axis} of joint {name}, which it does not have"))
                    .hint("fixed, spherical and free joints have no motion that can be named");
                return None;
            }
        };
        Some(Coordinate { axis: JointAxis { joint, axis }, angular })
    }

    /// A number whose dimension must match a coordinate (angle or travel); `None` if missing or wrong.
    pub fn suited(&mut self, quantity: Option<&Quantity>, angular: bool) -> Option<f64> {
        let q = quantity?;
        self.check_suits(q.dim, (q.loc, &q.path), angular).then_some(q.value)
    }

    /// Whether a dimension matches a coordinate; a mistake if not. Pure numbers always match.
    pub fn check_suits(&mut self, dim: &'static Dim, (loc, path): (Loc, &str), angular: bool) -> bool {
        let turning = [&ANGLE, &SPIN, &TORQUE, &TORSION, &TORSION_DAMPING].iter().any(|d| **d == *dim);
        if dim.suffix.is_empty() || turning == angular {
            return true;
        }
        let (moves, unit) = if angular { ("turns", "rad") } else { ("slides", "m") };
        self.issues
            .at(loc, path, format!("does not suit a joint that {moves}"))
            .found(format!("{} ({})", dim.with_article(), dim.unit))
            .hint(format!("give it in units with {unit}"));
        false
    }

    /// The one of several values that is given; a mistake if none or more are.
    pub fn one_given<S, T, const N: usize>(
        &mut self,
        here: &Here<S>,
        what: &str,
        values: [(&'static str, Option<T>); N],
    ) -> Option<T> {
        let keys = values.each_ref().map(|(key, _)| *key);
        if here.any_wrong(keys.into_iter()) {
            return None;
        }
        let mut given: Vec<(&str, T)> = values.into_iter().filter_map(|(key, v)| Some((key, v?))).collect();
        if given.len() == 1 {
            return given.pop().map(|(_, value)| value);
        }
        let names: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
        self.issues
            .at(here.loc, &here.path, what)
            .found(if names.is_empty() { "none".into() } else { names.join(" and ") })
            .allowed(keys.join(", "));
        None
    }

    /// A frame at a point, parallel to the machine's frame when all joints are at zero.
    pub fn aligned(&self, scope: usize, at: Attachment) -> Attachment {
        let R = self.zero_pose(scope, at.body).R.transpose();
        Attachment { X_BF: Pose { R, p: at.X_BF.p }, ..at }
    }
}

/// `JOINT.1` is the second motion of JOINT.
fn split_index(text: &str) -> (&str, Option<usize>) {
    match text.rsplit_once('.') {
        Some((name, digits)) => match digits.parse() {
            Ok(index) => (name, Some(index)),
            Err(_) => (text, None),
        },
        None => (text, None),
    }
}

/// Whether `name` matches `pattern`, in which `*` stands for any characters.
pub(crate) fn glob(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::glob;

    /// A star stands for any characters, nothing else does.
    #[test]
    fn globs_match() {
        assert!(glob("drive_*", "drive_front_left") && glob("*", "") && glob("a*b*c", "axxbyyc"));
        assert!(
            !glob("drive_*", "drive") && !glob("a*b", "ab_c") && !glob("ab", "abc") && !glob("a*aa", "aa")
        );
        assert!(glob("*_left", "arm_left"));
    }
}
