/** Files of products into the store, and all records of a collection out of it. */
import { Card, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Title, useTranslate } from 'react-admin';
import { ExportLines } from './export-lines.tsx';
import { ImportProducts } from './import-products.tsx';

export default function Transfer() {
  return (
    <>
      <Title title={useTranslate()('menu.transfer')} />
      <Stack spacing={2} sx={{ mt: 1 }}>
        <Part name="import">
          <ImportProducts />
        </Part>
        <Part name="export">
          <ExportLines />
        </Part>
      </Stack>
    </>
  );
}

function Part({ name, children }: { name: 'import' | 'export'; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Card variant="outlined" component="section" aria-labelledby={name} sx={{ p: { xs: 1.5, sm: 3 } }}>
      <Typography id={name} variant="h6" component="h2">
        {translate(`${name}.title`)}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: '80ch' }}>
        {translate(`${name}.help`)}
      </Typography>
      {children}
    </Card>
  );
}
