//! A partition while it is searched: the cluster of each node, and the sums that its quality needs.

use super::links::ModuleLinks;

/// The smallest gain of a step, so that rounding errors do not cause one.
pub(super) const MIN_GAIN: f64 = 1e-9;

/// The number of nodes of a cluster, the weight of its inner links, and that of all ends of links at its
/// nodes. Inner links have both ends there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ClusterSums {
    pub(super) nodes: u32,
    pub(super) inside: f64,
    pub(super) ends: f64,
}

impl ClusterSums {
    /// Returns the contribution of a cluster to the quality.
    pub(super) fn factor(self) -> f64 {
        if self.inside > 0.0 { 2.0 * self.inside / self.ends } else { 0.0 }
    }
}

/// A move, with the sums of both clusters before it.
#[derive(Clone, Copy, Debug)]
struct Moved {
    node: u32,
    from: u32,
    from_sums: ClusterSums,
    to_sums: ClusterSums,
}

/// The cluster of each node.
#[derive(Debug)]
pub(super) struct Assignment<'a> {
    pub(super) links: &'a ModuleLinks,
    pub(super) cluster_of: Vec<u32>,
    sums: Vec<ClusterSums>,
    /// The clusters without nodes, as a stack. There is always one.
    empty: Vec<u32>,
    quality: f64,
    /// The weight of the links of one node to each cluster.
    linked: Vec<f64>,
    /// The clusters with such links.
    touched: Vec<u32>,
    /// The moves since the last [`Assignment::keep`].
    journal: Vec<Moved>,
    /// The number of links visited so far, which measures the effort independently of the machine.
    pub(super) visited: u64,
}

impl<'a> Assignment<'a> {
    /// Creates an assignment. Clusters are below the number of nodes.
    pub(super) fn new(links: &'a ModuleLinks, cluster_of: Vec<u32>) -> Assignment<'a> {
        let mut sums = vec![ClusterSums::default(); links.len() + 1];
        for (node, &cluster) in cluster_of.iter().enumerate() {
            let sums = &mut sums[cluster as usize];
            sums.nodes += 1;
            sums.inside += links.inner(node);
            sums.ends += links.ends(node);
            // Each link is visited once, from its smaller end.
            let inside = links.of_node(node).filter(|(other, _)| {
                *other as usize > node && cluster_of[*other as usize] == cluster
            });
            sums.inside += inside.map(|(_, weight)| weight).sum::<f64>();
        }
        let empty = (0u32..).zip(&sums).filter(|(_, sums)| sums.nodes == 0);
        let mut empty: Vec<u32> = empty.map(|(cluster, _)| cluster).collect();
        empty.reverse();
        Assignment {
            links,
            cluster_of,
            quality: sums.iter().map(|sums| sums.factor()).sum(),
            linked: vec![0.0; sums.len()],
            sums,
            empty,
            touched: Vec::new(),
            journal: Vec::new(),
            visited: 0,
        }
    }

    /// Returns the sum of the factors of all clusters.
    pub(super) fn quality(&self) -> f64 {
        self.quality
    }

    /// Returns the number of nodes in the cluster of a node.
    pub(super) fn size_around(&self, node: usize) -> u32 {
        self.sums[self.cluster_of[node] as usize].nodes
    }

    /// Adds up the links of a node by cluster.
    fn weigh(&mut self, node: usize) {
        for &cluster in &self.touched {
            self.linked[cluster as usize] = 0.0;
        }
        self.touched.clear();
        self.visited += 1 + self.links.degree(node) as u64;
        for (neighbor, weight) in self.links.of_node(node) {
            let cluster = self.cluster_of[neighbor as usize];
            if self.linked[cluster as usize] == 0.0 {
                self.touched.push(cluster);
            }
            self.linked[cluster as usize] += weight;
        }
    }

    /// Returns the sums of the cluster of a node without it.
    fn without(&self, node: usize) -> ClusterSums {
        let cluster = self.cluster_of[node] as usize;
        let ClusterSums { nodes, inside, ends } = self.sums[cluster];
        if nodes == 1 {
            // Rounding errors of a cluster end with it.
            return ClusterSums::default();
        }
        ClusterSums {
            nodes: nodes - 1,
            inside: inside - self.linked[cluster] - self.links.inner(node),
            ends: ends - self.links.ends(node),
        }
    }

    /// Returns the sums of another cluster with a node added.
    fn with(&self, node: usize, cluster: u32) -> ClusterSums {
        let ClusterSums { nodes, inside, ends } = self.sums[cluster as usize];
        ClusterSums {
            nodes: nodes + 1,
            inside: inside + self.linked[cluster as usize] + self.links.inner(node),
            ends: ends + self.links.ends(node),
        }
    }

    /// Returns the factor of a cluster.
    pub(super) fn factor(&self, cluster: u32) -> f64 {
        self.sums[cluster as usize].factor()
    }

    /// Moves a node to the cluster with the largest gain. Returns whether it moved.
    pub(super) fn improve(&mut self, node: usize) -> bool {
        self.weigh(node);
        let from = self.cluster_of[node];
        let lost = self.without(node).factor() - self.factor(from);
        let apart = (self.size_around(node) > 1).then(|| self.empty.last().copied()).flatten();
        let mut best = (MIN_GAIN, None);
        for &to in self.touched.iter().filter(|&&to| to != from).chain(&apart) {
            let gain = lost + self.with(node, to).factor() - self.factor(to);
            if gain > best.0 {
                best = (gain, Some(to));
            }
        }
        best.1.inspect(|&to| self.shift(node, to)).is_some()
    }

    /// Moves a node to the cluster of another one.
    pub(super) fn join(&mut self, node: usize, other: usize) {
        let to = self.cluster_of[other];
        if self.cluster_of[node] != to {
            self.weigh(node);
            self.shift(node, to);
        }
    }

    /// Moves a node into a cluster of its own.
    pub(super) fn part(&mut self, node: usize) {
        if let Some(&to) = self.empty.last()
            && self.size_around(node) > 1
        {
            self.weigh(node);
            self.shift(node, to);
        }
    }

    /// Moves a node whose links were weighed to another cluster, which is not empty or the top of the
    /// empty ones.
    fn shift(&mut self, node: usize, to: u32) {
        let from = self.cluster_of[node];
        let (left, joined) = (self.without(node), self.with(node, to));
        let (from_sums, to_sums) = (self.sums[from as usize], self.sums[to as usize]);
        let number = pellucid_bits::as_u32(node);
        self.journal.push(Moved { node: number, from, from_sums, to_sums });
        self.quality += left.factor() + joined.factor() - from_sums.factor() - to_sums.factor();
        if to_sums.nodes == 0 {
            self.empty.pop();
        }
        if left.nodes == 0 {
            self.empty.push(from);
        }
        (self.sums[from as usize], self.sums[to as usize]) = (left, joined);
        self.cluster_of[node] = to;
    }

    /// Makes the moves so far permanent.
    pub(super) fn keep(&mut self) {
        self.journal.clear();
    }

    /// Undoes the moves since the last [`Assignment::keep`], the last one first, with all sums exactly as
    /// they were; `quality` is that of then.
    pub(super) fn undo(&mut self, quality: f64) {
        while let Some(Moved { node, from, from_sums, to_sums }) = self.journal.pop() {
            let to = self.cluster_of[node as usize];
            if self.sums[from as usize].nodes == 0 {
                self.empty.pop();
            }
            if to_sums.nodes == 0 {
                self.empty.push(to);
            }
            (self.sums[from as usize], self.sums[to as usize]) = (from_sums, to_sums);
            self.cluster_of[node as usize] = from;
        }
        self.quality = quality;
    }
}
