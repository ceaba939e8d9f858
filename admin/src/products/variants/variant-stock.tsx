/** The stock of each variant of a product, read-only, with a link to the grid that changes it. */
import { Box, Stack, Typography } from '@mui/material';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { useFormat } from '../../utils/format.ts';

const ROWS_MAX = 50;

interface Props {
  readonly product: ProductOutput;
  readonly variants: readonly VariantOutput[];
}

export function VariantStock({ product, variants }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const columns: Column<VariantOutput>[] = [
    { label: translate('field.variant'), cell: ({ options }) => options.map(({ value }) => value).join(' · ') },
    { label: translate('field.sku'), cell: ({ sku }) => sku ?? '–' },
    {
      label: translate('field.amount'),
      isRight: true,
      cell: ({ amount, default_amount }) =>
        default_amount
          ? translate('products.stockOfProduct', { count: format.number(product.amount) })
          : format.number(amount),
    },
  ];
  return (
    <Box component="section" aria-labelledby="variant-stock" sx={{ mb: 3 }}>
      <Typography id="variant-stock" variant="h6" component="h2">
        {translate('products.variantStock', { count: format.number(totalStock(product, variants)) })}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 1, maxWidth: '80ch' }}>
        {translate('products.variantStockHelp')}
      </Typography>
      <ResponsiveTable
        label={translate('products.tab.variants')}
        columns={columns}
        rows={variants.slice(0, ROWS_MAX)}
        keyOf={({ id }) => id}
      />
      <Stack spacing={0.5} sx={{ mt: 1, alignItems: 'flex-start' }}>
        {variants.length > ROWS_MAX && (
          <Typography variant="body2" color="textSecondary">
            {translate('products.moreVariants', { smart_count: variants.length - ROWS_MAX })}
          </Typography>
        )}
        <Link to={`/products/${product.id}?tab=variants`}>{translate('products.editVariantStock')}</Link>
      </Stack>
    </Box>
  );
}

/** The sum of the variants' own stocks, plus the product's once if a variant uses it (catalog.md §12). */
function totalStock({ amount }: ProductOutput, variants: readonly VariantOutput[]): number {
  const own = variants.filter(({ default_amount }) => !default_amount);
  const shared = own.length < variants.length ? amount : 0;
  return own.reduce((sum, variant) => sum + variant.amount, shared);
}
