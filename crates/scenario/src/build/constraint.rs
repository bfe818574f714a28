//! Constraints: loop closures, couplings and prescribed motions.

use super::Builder;
use crate::read::Record;
use crate::unit::{NUMBER, PITCH, PITCH_INVERSE};
use touchdown_math::Vec3;
use touchdown_multibody::description::{Attachment, BodyRef, Constraint, ConstraintKind};
use touchdown_sim::description::InputTarget;

impl Builder<'_> {
    /// Constraints of every scope.
    pub fn collect_constraints(&mut self) {
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for named in record.map("constraint") {
                let name = format!("{prefix}{}", named.name);
                self.remember("constraint", &name, &named.record);
                self.constraint(s, &name, &named.record);
            }
        }
    }

    fn constraint(&mut self, scope: usize, name: &str, record: &Record) -> Option<()> {
        let word = record.text("type")?;
        let (needed, optional): (&[&str], &[&str]) = match word {
            "coincident" => (&["between"], &["at"]),
            "hinge" => (&["between"], &["at", "axis", "first_axis", "second_axis"]),
            "parallel" => (&["between"], &["axis", "first_axis", "second_axis"]),
            "perpendicular" => (&["between", "first_axis", "second_axis"], &[]),
            "distance" => (&["between", "length"], &[]),
            "gear" => (&["driven", "driver", "ratio"], &["offset"]),
            _ => (&["joint", "motion"], &["input"]),
        };
        self.check_keys(record, word, needed, optional);
        let kind = match word {
            "gear" => self.gear(scope, record)?,
            "prescribed" => self.prescribed(scope, record)?,
            "parallel" | "perpendicular" => self.axes(scope, record, word == "perpendicular")?,
            "distance" => {
                let [a, b] = self.ends(scope, record)?;
                ConstraintKind::Distance { a, b, length: record.number("length")? }
            }
            "hinge" => {
                let axes = self.axes(scope, record, false);
                let [a, b] = self.ends(scope, record)?;
                self.remember("constraint", &format!("{name}/axes"), record);
                let kind = axes?;
                self.mechanism.constraints.push(Constraint { name: format!("{name}/axes"), kind });
                ConstraintKind::Coincident { a, b }
            }
            _ => {
                let [a, b] = self.ends(scope, record)?;
                ConstraintKind::Coincident { a, b }
            }
        };
        if record.flag("input") {
            self.add_input(name.into(), InputTarget::Motion(self.mechanism.constraints.len()));
        }
        self.mechanism.constraints.push(Constraint { name: name.into(), kind });
        Some(())
    }

    /// Needed keys must be there; keys of other types must not.
    fn check_keys(&mut self, record: &Record, word: &str, needed: &[&str], optional: &[&str]) {
        for key in needed.iter().filter(|k| !record.has(k)) {
            self.issues.at(record.loc, &record.path, format!("needs {key}, because its type is {word}"));
        }
        for field in record.section.fields().filter(|f| record.has(f.key) && f.key != "type") {
            if !needed.contains(&field.key) && !optional.contains(&field.key) {
                let what = format!("means nothing in a constraint of type {word}");
                self.issues.at(record.loc_of(field.key), record.path_of(field.key), what);
            }
        }
    }

    /// The two points; `at` gives both where no point is said for them.
    pub fn ends(&mut self, scope: usize, record: &Record) -> Option<[Attachment; 2]> {
        let pair = record.pair("between")?;
        let path = record.path_of("between");
        let at = record.vec3("at");
        let ends = [&pair[0], &pair[1]].map(|spec| {
            let mut spec = spec.clone();
            if spec.point.is_none() && spec.position.is_none() && spec.at.is_none() {
                spec.at = at;
            }
            self.attachment(scope, &spec, &path)
        });
        let [Some(a), Some(b)] = ends else { return None };
        if a.body == b.body {
            self.issues
                .at(record.loc_of("between"), path, "joins a body to itself")
                .hint("name two different bodies, or a body and \"world\"");
            return None;
        }
        Some([a, b])
    }

    fn axes(&mut self, scope: usize, record: &Record, perpendicular: bool) -> Option<ConstraintKind> {
        let pair = record.pair("between")?;
        let path = record.path_of("between");
        let bodies = [&pair[0], &pair[1]].map(|spec| self.body(scope, &spec.body, spec.loc, &path));
        let [Some(first), Some(second)] = bodies else { return None };
        let common = record.vec3("axis");
        let both = ["first_axis", "second_axis"].map(|key| record.vec3(key));
        let own_or_common = |b: &Self, body: BodyRef, own: Option<Vec3>| -> Option<Vec3> {
            own.or_else(|| Some(b.axis_in_body(scope, body, &common?)))
        };
        let (Some(a), Some(b)) = (own_or_common(self, first, both[0]), own_or_common(self, second, both[1]))
        else {
            if !["axis", "first_axis", "second_axis"].iter().any(|k| record.has(k)) {
                self.issues
                    .at(record.loc, &record.path, "needs its axis")
                    .hint("axis = [0, 0, 1] in the machine's frame at zero, or first_axis and second_axis in the bodies");
            }
            return None;
        };
        let (a, b) = ((first, a), (second, b));
        Some(if perpendicular {
            ConstraintKind::Perpendicular { a, b }
        } else {
            ConstraintKind::Parallel { a, b }
        })
    }

    fn gear(&mut self, scope: usize, record: &Record) -> Option<ConstraintKind> {
        let [driven, driver] = ["driven", "driver"].map(|key| {
            let text = record.text(key)?;
            self.coordinate(scope, text, record.loc_of(key), &record.path_of(key))
        });
        let (driven, driver) = (driven?, driver?);
        let (ratio, dim) = record.quantity("ratio")?;
        let wanted = match (driven.angular, driver.angular) {
            (false, true) => &PITCH,
            (true, false) => &PITCH_INVERSE,
            _ => &NUMBER,
        };
        if *dim != *wanted {
            self.issues
                .at(
                    record.loc_of("ratio"),
                    record.path_of("ratio"),
                    format!("must be {}", wanted.with_article()),
                )
                .found(dim.with_article())
                .allowed(wanted.examples);
        }
        let offset = self.suited(record, "offset", driven.angular).unwrap_or(0.0);
        Some(ConstraintKind::Gear { driven: driven.axis, driver: driver.axis, ratio, offset })
    }

    fn prescribed(&mut self, scope: usize, record: &Record) -> Option<ConstraintKind> {
        let text = record.text("joint")?;
        let axis = self.coordinate(scope, text, record.loc_of("joint"), &record.path_of("joint"))?;
        let (motion, dim) = record.signal("motion")?;
        let motion = motion.clone();
        self.check_suits(record, "motion", dim, axis.angular)
            .then_some(ConstraintKind::Prescribed { axis: axis.axis, motion })
    }
}
