/** All records of a collection as a file of lines, as `purveyor export` writes it. */
import { Button, MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { download } from '../parts/download.ts';
import { useSentence } from '../parts/sentence.ts';
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
  stickers: 'export.of.stickers',
} as const;

/** How many records are read between two looks at the screen. */
const SHOWN_EVERY = 500;

export function ExportLines() {
  const [collection, setCollection] = useState<keyof typeof COLLECTIONS>('products');
  const [count, setCount] = useState<number>();
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();

  async function run(): Promise<void> {
    setCount(0);
    try {
      const lines: string[] = [];
      for await (const record of anyStore().export(`/${collection}`)) {
        lines.push(`${JSON.stringify(record)}\n`);
        if (lines.length % SHOWN_EVERY === 0) setCount(lines.length);
      }
      download(`${collection}.jsonl`, lines, 'application/x-ndjson');
      notify(translate('export.done', { smart_count: lines.length }), { type: 'success' });
    } catch (error) {
      notify(sentence(error), { type: 'error', autoHideDuration: 10000 });
    } finally {
      setCount(undefined);
    }
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
      <Button variant="outlined" onClick={() => void run()} disabled={count !== undefined} sx={{ flexShrink: 0 }}>
        {count === undefined ? translate('export.download') : translate('export.working', { count })}
      </Button>
    </Stack>
  );
}
