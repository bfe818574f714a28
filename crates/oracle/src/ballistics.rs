//! Flight under uniform gravity and a block sliding to rest: the simplest motions an engine must get right.
//! Closed forms; references for gravity, free joints and Coulomb friction.

/// A point in flight: position and velocity in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Position, m.
    pub position_m: [f64; 3],
    /// Velocity, m/s.
    pub velocity_m_per_s: [f64; 3],
}

/// A projectile under uniform `gravity` (vector, m/s²) at time `t`, s, from the given start.
pub fn projectile(start: Flight, gravity: [f64; 3], t: f64) -> Flight {
    let velocity = |i: usize| start.velocity_m_per_s[i] + gravity[i] * t;
    let position = |i: usize| start.position_m[i] + t * (start.velocity_m_per_s[i] + 0.5 * gravity[i] * t);
    Flight { position_m: std::array::from_fn(position), velocity_m_per_s: std::array::from_fn(velocity) }
}

/// Time to fall from rest through `height_m` under `gravity`, s.
pub fn fall_time(height_m: f64, gravity: f64) -> f64 {
    (2.0 * height_m / gravity).sqrt()
}

/// A block on a plane tilted by `slope_rad`, pushed off downhill with `speed_m_per_s` ≥ 0 against Coulomb friction.
#[derive(Clone, Copy, Debug)]
pub struct SlidingBlock {
    /// Starting speed, downhill, m/s.
    pub speed_m_per_s: f64,
    /// Coefficient of friction, at rest and sliding.
    pub friction: f64,
    /// Slope, rad.
    pub slope_rad: f64,
    /// Gravity, m/s².
    pub gravity: f64,
}

/// A sliding block at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sliding {
    /// Distance travelled downhill, m.
    pub travel_m: f64,
    /// Speed downhill, m/s.
    pub speed_m_per_s: f64,
    /// Energy lost to friction so far, J per kg.
    pub dissipated_j_per_kg: f64,
}

impl SlidingBlock {
    /// Deceleration while it slides, m/s²; negative if the slope is too steep to stop on.
    pub fn deceleration(&self) -> f64 {
        let (sin, cos) = self.slope_rad.sin_cos();
        self.gravity * (self.friction * cos - sin)
    }

    /// Time at which it stops, s; `None` if it never does.
    pub fn stopping_time(&self) -> Option<f64> {
        let deceleration = self.deceleration();
        (deceleration > 0.0).then(|| self.speed_m_per_s / deceleration)
    }

    /// The block at time `t` ≥ 0, s.
    pub fn at(&self, t: f64) -> Sliding {
        let moving = self.stopping_time().map_or(t, |stop| t.min(stop));
        let travel_m = moving * (self.speed_m_per_s - 0.5 * self.deceleration() * moving);
        let stopped = moving < t;
        Sliding {
            travel_m,
            speed_m_per_s: if stopped { 0.0 } else { self.speed_m_per_s - self.deceleration() * moving },
            dissipated_j_per_kg: self.friction * self.gravity * self.slope_rad.cos() * travel_m,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A projectile keeps ½v² − g·p, and comes down where range = v² sin 2α/g says.
    #[test]
    fn projectile_keeps_energy_and_range() {
        let gravity = [0.0, 0.0, -9.81];
        let (speed, elevation) = (12.0f64, 0.6f64);
        let velocity = [speed * elevation.cos(), 0.0, speed * elevation.sin()];
        let start = Flight { position_m: [0.0; 3], velocity_m_per_s: velocity };
        let landing = 2.0 * velocity[2] / 9.81;
        let end = projectile(start, gravity, landing);
        assert!(end.position_m[2].abs() < 1e-14);
        assert!((end.position_m[0] - speed * speed * (2.0 * elevation).sin() / 9.81).abs() < 1e-13);
        let top = projectile(start, gravity, 0.5 * landing);
        assert!((0.5 * velocity[2] * velocity[2] - 9.81 * top.position_m[2]).abs() < 1e-13);
    }

    /// A body that falls for `fall_time` has fallen the height.
    #[test]
    fn fall_time_is_consistent_with_flight() {
        let start = Flight { position_m: [0.0, 0.0, 2.5], velocity_m_per_s: [0.0; 3] };
        let end = projectile(start, [0.0, 0.0, -3.711], fall_time(2.5, 3.711));
        assert!(end.position_m[2].abs() < 1e-15);
    }

    /// A block stops at v/(g(μ cos − sin)), stays there, and has lost its kinetic and potential energy to friction.
    #[test]
    fn block_stops_and_books_its_energy() {
        let block = SlidingBlock { speed_m_per_s: 2.0, friction: 0.5, slope_rad: 0.2, gravity: 9.81 };
        let stop = block.stopping_time().unwrap();
        let (at_stop, later) = (block.at(stop), block.at(stop + 5.0));
        assert!(at_stop.speed_m_per_s.abs() < 1e-15 && later.speed_m_per_s == 0.0);
        assert!((at_stop.travel_m - later.travel_m).abs() < 1e-15);
        let released = 0.5 * 4.0 + 9.81 * 0.2f64.sin() * later.travel_m;
        assert!((later.dissipated_j_per_kg - released).abs() < 1e-14);
        assert!(SlidingBlock { slope_rad: 0.5, ..block }.stopping_time().is_none());
    }
}
