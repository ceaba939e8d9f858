/** Ships units of an order: how many of each line, with carrier and tracking number. */
import { Box, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { LoadedOrder } from '../load-order.ts';
import { shippable } from './quantities.ts';
import { exceeds, linesOf, QuantityFields, useQuantities } from './quantity-fields.tsx';
import { StepDialog } from './step-dialog.tsx';
import { type StepCallbacks, useSettle } from './use-settle.ts';

/** Splits a typed list of tracking numbers. */
export const numbersIn = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((one) => one.trim())
    .filter(Boolean);

export function ShipDialog({ loaded, ...callbacks }: { loaded: LoadedOrder } & StepCallbacks) {
  const items = loaded.order.items.filter((item) => shippable(item) > 0);
  const quantities = useQuantities(Object.fromEntries(items.map((item) => [item.id, shippable(item)])));
  const [carrier, setCarrier] = useState(loaded.order.shipping_method_name ?? '');
  const [tracking, setTracking] = useState('');
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const lines = linesOf(items, units);
  const isComplete = items.every((item) => units[item.id] === shippable(item));
  const code = loaded.order.shipping_status?.code;
  const becomesShipped = isComplete && code !== 'S' && code !== 'D';

  return (
    <StepDialog
      title="orders.action.ship"
      confirm="orders.action.ship"
      step={step}
      isDisabled={lines.length === 0 || quantities.isInvalid || exceeds(items, units, shippable)}
      onConfirm={() =>
        void step.settle({
          shipment: { lines, carrier: carrier.trim(), tracking_numbers: numbersIn(tracking) },
          ...(becomesShipped ? { shipping_status: 'S' } : {}),
        })
      }
      onClose={callbacks.onClose}
    >
      <QuantityFields items={items} quantities={quantities} maxOf={shippable} />
      <Box sx={{ mt: 2 }}>
        <TextField
          label={translate('orders.carrier')}
          value={carrier}
          onChange={({ target }) => setCarrier(target.value)}
        />
        <TextField
          label={translate('orders.trackingNumber')}
          value={tracking}
          onChange={({ target }) => setTracking(target.value)}
          helperText={translate('orders.trackingHelp')}
        />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate(becomesShipped ? 'orders.shipsAll' : 'orders.shipsPart')}
      </Typography>
    </StepDialog>
  );
}
