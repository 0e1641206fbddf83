//! Checks the pages of a column chunk, because the library trusts damaged counts and would run out of memory.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

use super::{delta, runs};

/// A page reader that fails on pages with more values than possible.
pub(super) struct CheckedPages<P> {
    pages: P,
    /// The number of rows of the chunk.
    rows: usize,
    /// Whether the column stores which rows have a value.
    optional: bool,
    has_dictionary: bool,
}

impl<P> CheckedPages<P> {
    /// Checks the pages of a chunk with this number of rows; `optional` if it stores which rows have a value.
    pub(super) fn new(pages: P, rows: usize, optional: bool) -> CheckedPages<P> {
        CheckedPages { pages, rows, optional, has_dictionary: false }
    }

    fn check(&mut self, page: &Page) -> std::result::Result<(), &'static str> {
        let declared = usize::try_from(page.num_values()).unwrap_or(usize::MAX);
        if let Page::DictionaryPage { buf, .. } = page {
            self.has_dictionary = true;
            let fits = declared <= buf.len();
            return if fits { Ok(()) } else { Err("a dictionary has more values than bytes") };
        }
        if declared > self.rows {
            return Err("a page has more rows than its group");
        }
        let mut rest = self.values(page).ok_or("a page ends before its values")?;
        if !self.levels(page).is_none_or(|levels| runs::fit(levels, 1, declared)) {
            return Err("a page does not have a definition level for every row");
        }
        let lists = match page.encoding() {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.has_dictionary => {
                return Err("a page refers to a missing dictionary");
            }
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => {
                let bits = rest.first().is_none_or(|&bits| bits <= 32);
                return if bits {
                    Ok(())
                } else {
                    Err("a page has dictionary indices of more than 32 bits")
                };
            }
            Encoding::DELTA_BINARY_PACKED => 1,
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Ok(()),
        };
        for _ in 0..lists {
            let end = delta::end(rest, declared).ok_or("a page has more lengths than values")?;
            rest = &rest[end..];
        }
        Ok(())
    }

    /// Returns the run-length encoded definition levels of a data page, if it has them.
    fn levels<'a>(&self, page: &'a Page) -> Option<&'a [u8]> {
        let bytes = page.buffer();
        match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } if self.optional => {
                let start = usize::try_from(*rep_levels_byte_len).ok()?;
                bytes.get(start..)?.get(..usize::try_from(*def_levels_byte_len).ok()?)
            }
            Page::DataPage { def_level_encoding: Encoding::RLE, .. } if self.optional => {
                let length = bytes.first_chunk().copied().map(u32::from_le_bytes)?;
                bytes.get(4..)?.get(..usize::try_from(length).ok()?)
            }
            _ => None,
        }
    }

    /// Returns the bytes of a data page after its levels.
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
            // The other encoding of levels has one bit per row.
            Page::DataPage { num_values, .. } if self.optional => num_values.div_ceil(8),
            _ => 0,
        };
        bytes.get(usize::try_from(skipped).ok()?..)
    }
}

impl<P: PageReader> Iterator for CheckedPages<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<P: PageReader> PageReader for CheckedPages<P> {
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
