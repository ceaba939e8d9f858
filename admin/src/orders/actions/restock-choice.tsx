/** Whether units of a line go back into stock, in the dialog of returns. */
import { Checkbox, FormControlLabel } from '@mui/material';
import type { OrderItemOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { lineName } from '../order-history.tsx';

/** The lines whose units do not go back into stock. */
interface WrittenOff {
  has(item_id: number): boolean;
  toggle(item_id: number): void;
}

export function useWrittenOff(): WrittenOff {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  return {
    has: (item_id) => ids.has(item_id),
    toggle(item_id) {
      const next = new Set(ids);
      if (!next.delete(item_id)) next.add(item_id);
      setIds(next);
    },
  };
}

interface Props {
  readonly item: OrderItemOutput;
  /** It is the only line of the dialog. */
  readonly isOnly: boolean;
  readonly writtenOff: WrittenOff;
}

export function RestockChoice({ item, isOnly, writtenOff }: Props) {
  const translate = useTranslate();
  const label = translate('orders.backIntoStock');
  const name = isOnly ? label : translate('orders.backIntoStockOf', { name: lineName(item) });
  return (
    <FormControlLabel
      label={label}
      control={
        <Checkbox
          checked={!writtenOff.has(item.id)}
          onChange={() => writtenOff.toggle(item.id)}
          slotProps={{ input: { 'aria-label': name } }}
        />
      }
    />
  );
}
