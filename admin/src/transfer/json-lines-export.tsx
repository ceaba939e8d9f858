/** Downloads all records of a collection as JSON Lines, like `purveyor export`. */
import { Button, MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { exportRecords } from '../api/runtime-requests.ts';
import { download } from '../utils/download.ts';
import { useExport } from '../utils/use-export.ts';

/** The collections that `purveyor import` can restore, with the message keys of their names. */
const COLLECTIONS = {
  products: 'menu.products',
  categories: 'menu.categories',
  orders: 'menu.orders',
  tags: 'settings.tab.tags',
  memberships: 'settings.tab.memberships',
  tax_classes: 'settings.tab.tax_classes',
  product_classes: 'settings.tab.product_classes',
  stickers: 'export.stickers',
} as const;

export function JsonLinesExport() {
  const [collection, setCollection] = useState<keyof typeof COLLECTIONS>('products');
  const translate = useTranslate();
  const notify = useNotify();
  const { count, run } = useExport();

  function exportAll(): Promise<void> {
    return run(
      exportRecords(`/${collection}` as const),
      (record) => `${JSON.stringify(record)}\n`,
      (lines) => {
        download(`${collection}.jsonl`, lines, 'application/x-ndjson');
        notify(translate('export.done', { smart_count: lines.length }), { type: 'success' });
      },
    );
  }

  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2} sx={{ alignItems: { sm: 'center' } }}>
      <TextField
        select
        label={translate('export.what')}
        value={collection}
        onChange={({ target }) => setCollection(target.value as keyof typeof COLLECTIONS)}
        sx={{ maxWidth: { sm: 280 } }}
      >
        {Object.entries(COLLECTIONS).map(([name, label]) => (
          <MenuItem key={name} value={name}>
            {translate(label)}
          </MenuItem>
        ))}
      </TextField>
      <Button variant="outlined" onClick={() => void exportAll()} disabled={count !== undefined} sx={{ flexShrink: 0 }}>
        {count === undefined ? translate('export.download') : translate('export.progress', { count })}
      </Button>
    </Stack>
  );
}
