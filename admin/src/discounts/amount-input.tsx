/** How much a discount takes off. */
import { Alert } from '@mui/material';
import { SelectInput, useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { DecimalInput } from '../forms/inputs.tsx';
import { useStoreInfo } from '../utils/use-store-info.ts';

type Type = '%' | '$' | 'S';

const NAMES = { '%': 'discounts.type.percent', $: 'discounts.type.money', S: 'discounts.type.freeShipping' } as const;

/** @param types the types to choose from; a single one has no field */
export function AmountInput({ types }: { types: readonly Type[] }) {
  const [typed = '%', value] = useWatch({ name: ['type', 'value'] }) as [Type | undefined, unknown];
  const translate = useTranslate();
  const currency = useStoreInfo()?.currency;
  const type = types.length === 1 ? types[0]! : typed;
  return (
    <>
      {types.length > 1 && (
        <SelectInput
          source="type"
          label="discounts.field.type"
          choices={types.map((id) => ({ id, name: NAMES[id] }))}
          helperText={false}
          validate={[]}
        />
      )}
      {type !== 'S' && (
        <DecimalInput
          source="value"
          label={translate(type === '%' ? 'discounts.field.percentage' : 'discounts.field.value')}
          unit={type === '%' ? '%' : currency}
        />
      )}
      {type !== 'S' && (value === 0 || value === null) && (
        <Alert severity="info" sx={{ gridColumn: '1 / -1' }}>
          {translate('discounts.nothingOff')}
        </Alert>
      )}
      {type === '%' && value === 100 && (
        <Alert severity="warning" sx={{ gridColumn: '1 / -1' }}>
          {translate('discounts.everythingOff')}
        </Alert>
      )}
    </>
  );
}
