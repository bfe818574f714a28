//! Random numbers that are the same every time: case n of a target is always the same input.

/// Knuth's MMIX generator.
pub struct Dice(u64);

impl Dice {
    /// The dice of a case.
    pub fn of(target: &str, case: u64) -> Dice {
        // FNV-1a over the name, so that targets do not share their cases.
        let name = target
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let mut dice = Dice(name ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.roll(2);
        dice
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides.max(1) as u64) as usize
    }

    /// One of a list.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.roll(list.len())]
    }
}
