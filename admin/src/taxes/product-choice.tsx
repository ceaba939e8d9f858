/** Chooses a product or one of its variants. */
import { Autocomplete, MenuItem, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { type DraftLine, findProducts, lineFor } from '../orders/draft/draft.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

interface Props {
  readonly value: DraftLine | null;
  onChange(product: DraftLine | null): void;
}

type Found = Awaited<ReturnType<typeof findProducts>>[number];

/** Reads a product to test. The first variant is chosen, because the result shows the price of one. */
export async function testedProduct(found: Found): Promise<DraftLine> {
  const line = await lineFor(found);
  return { ...line, variant: line.variant ?? line.variants[0]?.id ?? null };
}

export function ProductChoice({ value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const { data = [] } = useQuery({
    queryKey: ['products-to-test', typed.trim()],
    queryFn: () => findProducts(typed.trim()),
    placeholderData: (before) => before,
  });

  async function choose(product: Found | null): Promise<void> {
    try {
      onChange(product && (await testedProduct(product)));
    } catch (error) {
      notify(errorMessage(error), { type: 'error' });
    }
  }

  const chosen: Found | null =
    value === null || value.product_id === null
      ? null
      : { id: value.product_id, name: value.name, sku: value.sku, price: 0 };
  return (
    <>
      <Autocomplete
        options={data}
        value={chosen}
        getOptionLabel={({ name, sku }) => `${name} · ${sku}`}
        getOptionKey={({ id, sku }) => `${id} ${sku}`}
        isOptionEqualToValue={(one, other) => one.id === other.id}
        filterOptions={(options) => options}
        onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
        onChange={(_event, product) => void choose(product)}
        noOptionsText={translate('list.noMatch')}
        renderInput={(input) => (
          <TextField {...input} label={translate('reviews.product')} helperText={translate('orders.addProductHelp')} />
        )}
      />
      {value && value.variants.length > 0 && (
        <TextField
          select
          label={translate('field.variant')}
          value={value.variant === null ? '' : `${value.variant}`}
          onChange={({ target }) => onChange({ ...value, variant: target.value === '' ? null : Number(target.value) })}
          slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        >
          <MenuItem value="">{translate('tester.noVariant')}</MenuItem>
          {value.variants.map(({ id, label }) => (
            <MenuItem key={id} value={`${id}`}>
              {label}
            </MenuItem>
          ))}
        </TextField>
      )}
    </>
  );
}
