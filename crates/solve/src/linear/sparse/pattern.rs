//! Pattern of a sparse matrix.

/// Places of the entries of a square matrix by compressed columns, rows rising; the diagonal and, with (i, j), also (j, i) are always among
/// them. Values are a slice in the same order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparsePattern {
    n: usize,
    first: Vec<usize>,
    rows: Vec<u32>,
}

impl SparsePattern {
    /// The pattern of n unknowns that has at least the entries (row, column); repeated ones count once.
    pub fn new(n: usize, entries: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut columns: Vec<Vec<u32>> = (0..n).map(|k| vec![k as u32]).collect();
        for (i, j) in entries {
            columns[j].push(i as u32);
            columns[i].push(j as u32);
        }
        let (mut first, mut rows) = (vec![0], Vec::new());
        for mut column in columns {
            column.sort_unstable();
            column.dedup();
            rows.append(&mut column);
            first.push(rows.len());
        }
        SparsePattern { n, first, rows }
    }

    /// The pattern in which the unknowns of each group (an element's coordinates) are all coupled.
    pub fn from_groups<'a>(n: usize, groups: impl IntoIterator<Item = &'a [usize]>) -> Self {
        let mut columns: Vec<Vec<u32>> = (0..n).map(|k| vec![k as u32]).collect();
        for group in groups {
            for &j in group {
                columns[j].extend(group.iter().map(|i| *i as u32));
            }
        }
        let (mut first, mut rows) = (vec![0], Vec::new());
        for mut column in columns {
            column.sort_unstable();
            column.dedup();
            rows.append(&mut column);
            first.push(rows.len());
        }
        SparsePattern { n, first, rows }
    }

    /// Unknowns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Number of entries: the length of the values.
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// Rows of the entries of a column, rising.
    pub fn rows(&self, column: usize) -> &[u32] {
        &self.rows[self.first[column]..self.first[column + 1]]
    }

    /// Index of the first value of a column.
    pub fn first(&self, column: usize) -> usize {
        self.first[column]
    }

    /// Index of the value at (row, column), if it is an entry.
    pub fn find(&self, row: usize, column: usize) -> Option<usize> {
        let at = self.rows(column).binary_search(&(row as u32)).ok()?;
        Some(self.first[column] + at)
    }

    /// `out += A·x` for the matrix with these values.
    pub fn add_product(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        for (j, x) in x.iter().enumerate() {
            for k in self.first[j]..self.first[j + 1] {
                out[self.rows[k] as usize] += values[k] * x;
            }
        }
    }

    /// Connected components of unknowns: for each unknown the number of its component, numbered from zero in
    /// the order of their first unknowns.
    pub fn components(&self) -> Vec<usize> {
        let mut of = vec![usize::MAX; self.n];
        let mut count = 0;
        let mut open = Vec::new();
        for start in 0..self.n {
            if of[start] != usize::MAX {
                continue;
            }
            of[start] = count;
            open.push(start);
            while let Some(j) = open.pop() {
                for &i in self.rows(j) {
                    if of[i as usize] == usize::MAX {
                        of[i as usize] = count;
                        open.push(i as usize);
                    }
                }
            }
            count += 1;
        }
        of
    }
}
