/** The products that sold the most units in the chosen days. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { Statistics } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';

export function BestSellers({ products }: { products: Statistics['best_sellers'] }) {
  const translate = useTranslate();
  const format = useFormat();
  return (
    <Section title="home.bestSellers">
      {products.length === 0 && <Typography color="textSecondary">{translate('home.noSales')}</Typography>}
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {products.map(({ product_id, sku, name, units, totals }) => (
          <Stack
            key={`${product_id}-${sku}`}
            component="li"
            direction="row"
            spacing={1}
            sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider', alignItems: 'baseline' }}
          >
            <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {product_id === null ? (
                name || sku
              ) : (
                <MuiLink component={Link} to={`/products/${product_id}`}>
                  {name || sku}
                </MuiLink>
              )}
            </Box>
            <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {translate('home.units', { smart_count: units })}
            </Typography>
            <Typography color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              {totals[0] && format.money(totals[0].total, totals[0].currency)}
            </Typography>
          </Stack>
        ))}
      </Box>
    </Section>
  );
}
