/** Chooses whose wholesale prices are shown: those of the product, or of one of its variants. */
import { Autocomplete, TextField } from '@mui/material';
import type { VariantOutput, WholesalePriceOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';

interface Props {
  readonly variants: readonly VariantOutput[];
  /** The rows of the product and of all variants. */
  readonly rows: readonly WholesalePriceOutput[];
  readonly value: VariantOutput | null;
  onChange(variant: VariantOutput | null): void;
}

/** The option for the product itself. */
const PRODUCT = 0;

export function OwnerInput({ variants, rows, value, onChange }: Props) {
  const translate = useTranslate();

  function labelOf(id: number): string {
    const variant = variants.find((one) => one.id === id);
    if (!variant) return translate('prices.ofProduct');
    const name = variant.options.map((option) => option.value).join(' · ');
    const count = rows.filter(({ variant_id }) => variant_id === id).length;
    if (count > 0) return `${name} – ${translate('prices.rowCount', { smart_count: count })}`;
    return variant.default_price ? name : `${name} – ${translate('prices.ownPrice')}`;
  }

  return (
    <Autocomplete
      options={[PRODUCT, ...variants.map(({ id }) => id)]}
      disableClearable
      value={value?.id ?? PRODUCT}
      getOptionLabel={labelOf}
      getOptionKey={(id) => id}
      onChange={(_event, id) => onChange(variants.find((variant) => variant.id === id) ?? null)}
      noOptionsText={translate('list.noMatch')}
      renderInput={(input) => <TextField {...input} label={translate('prices.owner')} />}
      sx={{ maxWidth: 480 }}
    />
  );
}
