/** A quantity for each line of an order, in dialogs. */
import { Box, Stack, TextField, Typography } from '@mui/material';
import type { OrderItemOutput } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { lineName } from '../order-history.tsx';
import type { Units } from './quantities.ts';

/** Typed quantities by the identifier of their item. */
interface Quantities {
  readonly typed: Readonly<Record<number, string>>;
  readonly units: Units;
  /** Whether a field has a text that is not a whole number. */
  readonly isInvalid: boolean;
  set(item: number, text: string): void;
  setAll(units: Units): void;
}

const WHOLE_NUMBER = /^\s*\d{0,7}\s*$/;

export function useQuantities(initial: Units): Quantities {
  const textsOf = (units: Units) => Object.fromEntries(Object.entries(units).map(([id, count]) => [id, `${count}`]));
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>(textsOf(initial));
  return {
    typed,
    units: Object.fromEntries(Object.entries(typed).map(([id, text]) => [id, Number(text) || 0])),
    isInvalid: Object.values(typed).some((text) => !WHOLE_NUMBER.test(text)),
    set: (item, text) => setTyped({ ...typed, [item]: text }),
    setAll: (units) => setTyped(textsOf(units)),
  };
}

/** Returns the lines with units, as requests name them. */
export function linesOf(items: readonly OrderItemOutput[], units: Units): { item_id: number; amount: number }[] {
  return items.flatMap(({ id }) => (units[id] ? [{ item_id: id, amount: units[id] }] : []));
}

/** Whether a quantity is more than what is possible. */
export function exceeds(
  items: readonly OrderItemOutput[],
  units: Units,
  maxOf: (item: OrderItemOutput) => number,
): boolean {
  return items.some((item) => (units[item.id] ?? 0) > maxOf(item));
}

interface Props {
  readonly items: readonly OrderItemOutput[];
  readonly quantities: Quantities;
  maxOf(item: OrderItemOutput): number;
  /** Further inputs of a line. */
  extra?(item: OrderItemOutput): ReactNode;
}

export function QuantityFields({ items, quantities, maxOf, extra }: Props) {
  const translate = useTranslate();
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {items.map((item) => {
        const name = lineName(item);
        const max = maxOf(item);
        const text = quantities.typed[item.id] ?? '';
        const isWrong = !WHOLE_NUMBER.test(text) || Number(text) > max;
        return (
          <Box key={item.id} component="li" sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
            <Stack direction="row" spacing={2} sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
              <Box sx={{ minWidth: 0 }}>
                <Typography sx={{ overflowWrap: 'anywhere' }}>{name}</Typography>
                <Typography variant="body2" color="textSecondary">
                  {item.sku}
                </Typography>
              </Box>
              <TextField
                value={text}
                onChange={({ target }) => quantities.set(item.id, target.value)}
                onFocus={({ target }) => target.select()}
                error={isWrong}
                helperText={translate(isWrong ? 'orders.atMost' : 'orders.ofUnits', { count: max })}
                fullWidth={false}
                slotProps={{
                  formHelperText: { sx: { mx: 0, whiteSpace: 'nowrap' } },
                  htmlInput: { inputMode: 'numeric', 'aria-label': translate('orders.quantityOf', { name }) },
                }}
                sx={{ width: 96, flexShrink: 0 }}
              />
            </Stack>
            {extra?.(item)}
          </Box>
        );
      })}
    </Box>
  );
}
