//! Pages of a column chunk, checked where the library would believe a damaged header and run out of memory.

use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// Another reader's pages, without dictionaries that declare more values than they have bytes.
pub(super) struct Checked<P>(pub(super) P);

impl<P: PageReader> Iterator for Checked<P> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<P: PageReader> PageReader for Checked<P> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.0.get_next_page()?;
        if let Some(Page::DictionaryPage { buf, num_values, .. }) = &page
            && usize::try_from(*num_values).map_or(true, |values| values > buf.len())
        {
            return Err(ParquetError::General(format!(
                "a dictionary of {} bytes cannot hold {num_values} values",
                buf.len()
            )));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.0.at_record_boundary()
    }
}
