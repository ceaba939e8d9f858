/** Changes a price of the selected products, and of their variants with a price of their own. */
import { Checkbox, FormControlLabel, MenuItem, TextField } from '@mui/material';
import { decimalsOf } from 'purveyor/currencies';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { readVersions, variantsOf } from '../../api/bulk.ts';
import { readAll } from '../../api/runtime-requests.ts';
import { useMaySee } from '../../utils/use-may.tsx';
import { useStoreInfo } from '../../utils/use-store-info.ts';
import { type PlannedBatch, planProducts, readProducts } from './bulk-change.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { changedPrice, type PriceChange, parsePriceChange } from './price-change.ts';
import { PriceTable } from './price-table.tsx';

const PRICES = ['price', 'market_price', 'cost_price', 'sale_price_value'] as const;
type PriceField = (typeof PRICES)[number];

export function PriceDialog({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const [field, setField] = useState<PriceField>('price');
  const [typed, setTyped] = useState('');
  const [withVariants, setWithVariants] = useState(true);
  const translate = useTranslate();
  const maySeeCost = useMaySee('Product.cost_price');
  const info = useStoreInfo();
  const change = parsePriceChange(typed);
  const isInvalid = typed.trim() !== '' && !change;

  async function plan(): Promise<readonly PlannedBatch[]> {
    const decimals = decimalsOf(info!.currency);
    const products = await planProducts(ids, fieldsOf(field), (product) => {
      // A percentage is not a price.
      if (field === 'sale_price_value' && product.discount_type !== 'sale_price') return null;
      return { [field]: changedPrice(product[field], change!, decimals) };
    });
    return [products, ...(field === 'price' && withVariants ? await planVariants(ids, change!, decimals) : [])];
  }

  return (
    <ChangeDialog
      title="bulk.changePrice"
      undoMessage="bulk.pricesChanged"
      ids={ids}
      isReady={change !== undefined && info !== undefined}
      inputs={JSON.stringify([typed, field, withVariants])}
      detailsOf={(changed) => <PriceTable field={field} changed={changed} />}
      plan={plan}
      onClose={onClose}
    >
      <TextField
        label={translate('bulk.change')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        placeholder="5%"
        error={isInvalid}
        helperText={translate(isInvalid ? 'bulk.changeInvalid' : 'bulk.changeHelp')}
        autoFocus
      />
      <TextField
        select
        label={translate('bulk.whichPrice')}
        value={field}
        onChange={({ target }) => setField(target.value as PriceField)}
      >
        {PRICES.filter((name) => name !== 'cost_price' || maySeeCost).map((name) => (
          <MenuItem key={name} value={name}>
            {translate(name === 'sale_price_value' ? 'bulk.salePrice' : `field.${name}`)}
          </MenuItem>
        ))}
      </TextField>
      {field === 'price' && (
        <FormControlLabel
          control={<Checkbox checked={withVariants} onChange={(_event, checked) => setWithVariants(checked)} />}
          label={translate('bulk.withVariants')}
        />
      )}
    </ChangeDialog>
  );
}

const fieldsOf = (field: PriceField): string[] => (field === 'sale_price_value' ? [field, 'discount_type'] : [field]);

/** Plans the same change for the variants that have a price of their own. */
async function planVariants(ids: readonly number[], change: PriceChange, decimals: number): Promise<PlannedBatch[]> {
  const batches: PlannedBatch[] = [];
  const products = await readProducts(ids, ['variants_count']);
  for (const { id: product_id, name } of products.filter(({ variants_count }) => (variants_count ?? 0) > 0)) {
    const target = variantsOf(product_id);
    const all = await readAll('/products/{product_id}/variants', { product_id });
    const own = all.filter(({ default_price }) => !default_price);
    const versions = await readVersions(
      target,
      own.map(({ id }) => id),
    );
    const lines = own.map(({ id, sku, price }) => ({
      ...{ key: id, name: `${name} ${sku ?? id}`, version: versions.get(id)! },
      ...{ body: { price: changedPrice(price, change, decimals) }, before: { price } },
    }));
    batches.push({ target, lines });
  }
  return batches;
}
