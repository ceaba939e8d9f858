/** All records of a collection as a file of lines, as `purveyor export` writes it. */
import { Button, MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { download } from '../parts/download.ts';
import { useExport } from '../parts/use-export.ts';
import { anyStore } from '../store/data-provider.ts';

/** Collections that a file of lines can fill again, with the key of their name. */
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

export function ExportLines() {
  const [collection, setCollection] = useState<keyof typeof COLLECTIONS>('products');
  const translate = useTranslate();
  const notify = useNotify();
  const { count, run } = useExport();

  function exportAll(): Promise<void> {
    return run(
      anyStore().export(`/${collection}`),
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
