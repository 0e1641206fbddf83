//! The drawing as SVG.

use super::{ClusterDrawing, MOST_LABELED};
use pellucid_export::xml::escaped_lines;
use std::io::{self, Write};

const STYLE: &str = include_str!("style.css");

/// The radius of the dot of a module.
const DOT: f64 = 4.5;
/// The most lines between modules of one cluster.
const MOST_LINES: usize = 20_000;

impl ClusterDrawing<'_> {
    /// Writes the drawing as SVG.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_svg(&self, out: &mut dyn Write) -> io::Result<()> {
        let (width, height) = self.size;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"clusters\" role=\"img\" \
             width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">"
        )?;
        writeln!(out, "<title>Clusters of {}</title>", escaped_lines(&self.graph.name))?;
        writeln!(out, "<style>\n{STYLE}</style>")?;
        // Not every viewer supports a background in the style.
        writeln!(out, "<rect class=\"g\" width=\"{width:.0}\" height=\"{height:.0}\"/>")?;
        self.write_links(out)?;
        self.write_disks(out)?;
        self.write_lines(out)?;
        self.write_modules(out)?;
        writeln!(out, "</svg>")
    }

    /// Writes the lines between clusters, under everything else.
    fn write_links(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<g class=\"b\">")?;
        for (&(one, other), &weight) in &self.between {
            let (one, other) = (&self.disks[one], &self.disks[other]);
            writeln!(
                out,
                "<path stroke-width=\"{:.1}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                (1.0 + libm::log1p(weight) * 1.6).min(14.0),
                one.x,
                one.y,
                other.x,
                other.y
            )?;
        }
        writeln!(out, "</g>")
    }

    fn write_disks(&self, out: &mut dyn Write) -> io::Result<()> {
        for (disk, cluster) in self.disks.iter().zip(&self.partition.clusters) {
            let name = escaped_lines(&cluster.name);
            let modules = cluster.modules.len();
            writeln!(
                out,
                "<g class=\"k\"><title>{name}: modules {modules}, factor {:.3}</title><circle cx=\"{:.1}\" \
                 cy=\"{:.1}\" r=\"{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\">{name}</text></g>",
                cluster.factor,
                disk.x,
                disk.y,
                disk.radius,
                disk.x,
                disk.y - disk.radius - 6.0
            )?;
        }
        Ok(())
    }

    /// Writes the edges within clusters.
    fn write_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut places = vec![None; self.graph.modules.len()];
        for drawn in &self.modules {
            places[drawn.module as usize] = Some(drawn);
        }
        writeln!(out, "<g class=\"e\">")?;
        let place = |end: u32| places[end as usize];
        let edges = self.graph.edges().iter();
        let within = edges
            .filter_map(|edge| place(edge.from).zip(place(edge.to)))
            .filter(|(one, other)| one.cluster == other.cluster);
        for (one, other) in within.take(MOST_LINES) {
            writeln!(
                out,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                one.x, one.y, other.x, other.y
            )?;
        }
        writeln!(out, "</g>")
    }

    fn write_modules(&self, out: &mut dyn Write) -> io::Result<()> {
        let is_labeled = self.modules.len() <= MOST_LABELED;
        for drawn in &self.modules {
            let name = escaped_lines(&self.graph.modules[drawn.module as usize]);
            write!(
                out,
                "<g class=\"m\"><title>{name}</title><circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{DOT}\"/>",
                drawn.x, drawn.y
            )?;
            if is_labeled {
                let short = escaped_lines(self.short_name(drawn.module));
                write!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\">{short}</text>",
                    drawn.x,
                    drawn.y + DOT + 8.0
                )?;
            }
            writeln!(out, "</g>")?;
        }
        Ok(())
    }
}
