/** Takes shipped units back: how many of each line, whether they have arrived, and which go back into stock. */
import { Checkbox, FormControlLabel, TextField, Typography } from '@mui/material';
import type { OrderItemOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { LoadedOrder } from '../load-order.ts';
import { returnable } from './quantities.ts';
import { exceeds, linesOf, QuantityFields, useQuantities } from './quantity-fields.tsx';
import { RestockChoice, useWrittenOff } from './restock-choice.tsx';
import { StepDialog } from './step-dialog.tsx';
import { type StepCallbacks, useSettle } from './use-settle.ts';

export function ReturnDialog({ loaded, ...callbacks }: { loaded: LoadedOrder } & StepCallbacks) {
  const { order, returns } = loaded;
  const maxOf = (item: OrderItemOutput): number => returnable(item, returns);
  const items = order.items.filter((item) => maxOf(item) > 0);
  const quantities = useQuantities(Object.fromEntries(items.map(({ id }) => [id, 0])));
  const [isReceived, setReceived] = useState(true);
  const writtenOff = useWrittenOff();
  const [reason, setReason] = useState('');
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const lines = linesOf(items, units);
  const restocked = lines.reduce((sum, line) => sum + (writtenOff.has(line.item_id) ? 0 : line.amount), 0);
  const isComplete = order.items.every((item) => item.returned_amount + (units[item.id] ?? 0) === item.amount);

  return (
    <StepDialog
      title="orders.action.return"
      confirm="orders.action.return"
      step={step}
      isDisabled={lines.length === 0 || quantities.isInvalid || exceeds(items, units, maxOf)}
      onConfirm={() =>
        void step.settle({
          return: {
            lines: lines.map((line) => ({ ...line, restock: !writtenOff.has(line.item_id), reason: reason.trim() })),
            status: isReceived ? 'received' : 'requested',
          },
          ...(isReceived && isComplete ? { shipping_status: 'R' } : {}),
        })
      }
      onClose={callbacks.onClose}
    >
      <QuantityFields
        items={items}
        quantities={quantities}
        maxOf={maxOf}
        extra={(item) => <RestockChoice item={item} isOnly={items.length === 1} writtenOff={writtenOff} />}
      />
      <FormControlLabel
        sx={{ mt: 1 }}
        control={<Checkbox checked={isReceived} onChange={(_event, checked) => setReceived(checked)} />}
        label={translate('orders.received')}
      />
      <TextField label={translate('orders.reason')} value={reason} onChange={({ target }) => setReason(target.value)} />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate(isReceived ? 'orders.returnReceivedHelp' : 'orders.returnRequestedHelp')}{' '}
        {isReceived &&
          lines.length > 0 &&
          (restocked === 0
            ? translate('orders.noUnitsRestocked')
            : translate('orders.unitsRestocked', { smart_count: restocked }))}
      </Typography>
    </StepDialog>
  );
}
