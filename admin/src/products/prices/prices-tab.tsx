/** Wholesale prices of a product and its variants, its own sale, and the price that wins today. */
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { readAll } from '../../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { useFormat } from '../../utils/format.ts';
import { useStoreInfo } from '../../utils/use-store-info.ts';
import type { TabProps } from '../types.ts';
import { OwnerInput } from './owner-input.tsx';
import { PriceCheck } from './price-check.tsx';
import { PriceGrid } from './price-grid.tsx';
import { priceQueries } from './prices-today.ts';
import { PublicPrice } from './public-price.tsx';
import { isOf, type Owner, readRows } from './wholesale.ts';

export function PricesTab({ loaded: { product } }: TabProps) {
  const [variant, setVariant] = useState<VariantOutput | null>(null);
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['prices', product.id],
    queryFn: () => readPrices(product.id),
  });
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const { rows, memberships, variants } = data;
  const owner: Owner = { product_id: product.id, variant_id: variant?.id ?? null };
  const ofOwner = rows.filter((row) => isOf(owner, row));

  async function reload(): Promise<void> {
    await refetch();
    await queries.invalidateQueries({ queryKey: priceQueries(product.id) });
  }

  return (
    <Stack spacing={3}>
      {variants.length > 0 && <OwnerInput variants={variants} rows={rows} value={variant} onChange={setVariant} />}
      <OwnPrice product={product} variant={variant} />
      <PublicPrice owner={owner} />
      {variant && ofOwner.length === 0 && <VariantNotice variant={variant} />}
      <PriceGrid key={`${owner.variant_id}`} owner={owner} rows={ofOwner} memberships={memberships} onDone={reload} />
      <PriceCheck owner={owner} memberships={memberships} rows={rows} />
    </Stack>
  );
}

async function readPrices(product_id: number) {
  const [rows, memberships, variants] = await Promise.all([
    readRows(product_id),
    readAll('/memberships'),
    readAll('/products/{product_id}/variants', { product_id }),
  ]);
  return { rows, memberships, variants };
}

/** The regular price, and the sale of the product or variant itself. Both are edited on other tabs. */
function OwnPrice({ product, variant }: { product: ProductOutput; variant: VariantOutput | null }) {
  const translate = useTranslate();
  const format = useFormat();
  const currency = useStoreInfo()?.currency;
  const { price } = variant ?? product;
  const type = variant?.sale_discount_type ?? product.discount_type;
  const value = variant?.sale_price_value ?? product.sale_price_value;
  const amount = type === 'sale_percent' ? format.percent(value) : format.money(value, currency);
  const sale = !product.participate_sale
    ? translate('prices.noOwnSale')
    : [
        translate(`prices.ownSale.${type}`, { amount }),
        translate('prices.ownSaleOnly'),
        translate(product.apply_sale_to_wholesale ? 'prices.ownSaleWholesale' : 'prices.ownSaleNotWholesale'),
      ].join(' ');
  return (
    <Box component="section" aria-label={translate('prices.regular')}>
      <Typography variant="h6" component="h2">
        {translate('prices.regular')}: {format.money(price, currency)}
      </Typography>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {sale}
      </Typography>
      <Link to={`/products/${product.id}?tab=${variant ? 'variants' : 'basics'}`}>
        {translate(variant ? 'prices.editVariant' : 'prices.editOwn')}
      </Link>
    </Box>
  );
}

/** Which wholesale prices a variant without any of its own has. */
function VariantNotice({ variant: { default_price } }: { variant: VariantOutput }) {
  const translate = useTranslate();
  return <Alert severity="info">{translate(default_price ? 'prices.variantInherits' : 'prices.variantHasNone')}</Alert>;
}
