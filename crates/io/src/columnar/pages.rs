//! Pages of a column chunk, checked where the library would believe a damaged count and run out of memory.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

use super::delta;

/// Another reader's pages, as long as they do not declare more values than there can be.
pub(super) struct Checked<P> {
    pub(super) pages: P,
    /// How many rows the chunk has.
    pub(super) rows: usize,
    /// Whether the column stores which rows have a value.
    pub(super) optional: bool,
}

impl<P> Checked<P> {
    fn check(&self, page: &Page) -> std::result::Result<(), &'static str> {
        let declared = usize::try_from(page.num_values()).unwrap_or(usize::MAX);
        if let Page::DictionaryPage { buf, .. } = page {
            let fits = declared <= buf.len();
            return if fits { Ok(()) } else { Err("a dictionary has more values than bytes") };
        }
        if declared > self.rows {
            return Err("a page has more rows than its group");
        }
        let lists = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Ok(()),
        };
        let mut rest = self.values(page).ok_or("a page ends before its values")?;
        for _ in 0..lists {
            let end = delta::end(rest, declared).ok_or("a page has more lengths than values")?;
            rest = &rest[end..];
        }
        Ok(())
    }

    /// The bytes of a data page behind those that say which rows have a value.
    fn values<'a>(&self, page: &'a Page) -> Option<&'a [u8]> {
        let bytes = page.buffer();
        let skipped = match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                def_levels_byte_len.checked_add(*rep_levels_byte_len)?
            }
            Page::DataPage { def_level_encoding: Encoding::RLE, .. } if self.optional => {
                let length = bytes.first_chunk().copied().map(u32::from_le_bytes)?;
                length.checked_add(4)?
            }
            // The other encoding of levels is a bit a row.
            Page::DataPage { num_values, .. } if self.optional => num_values.div_ceil(8),
            _ => 0,
        };
        bytes.get(usize::try_from(skipped).ok()?..)
    }
}

impl<P: PageReader> Iterator for Checked<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<P: PageReader> PageReader for Checked<P> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.check(page).map_err(|what| ParquetError::General(what.to_owned()))?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
