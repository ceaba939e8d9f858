/** Changes the carrier, the tracking numbers and the note of a shipment. */
import { TextField } from '@mui/material';
import type { OrderShipmentOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { numbersIn } from './actions/ship-dialog.tsx';
import { StepDialog } from './actions/step-dialog.tsx';
import { type StepCallbacks, useSettle } from './actions/use-settle.ts';
import type { LoadedOrder } from './load-order.ts';

export function ShipmentDialog({
  loaded,
  shipment,
  ...callbacks
}: { loaded: LoadedOrder; shipment: OrderShipmentOutput } & StepCallbacks) {
  const [carrier, setCarrier] = useState(shipment.carrier);
  const [tracking, setTracking] = useState(shipment.tracking_numbers.join(', '));
  const [note, setNote] = useState(shipment.note);
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);

  return (
    <StepDialog
      title="orders.editShipment"
      confirm="button.save"
      step={step}
      onConfirm={() =>
        void step.run(() =>
          store.patch(
            '/orders/{order_id}/shipments/{shipment_id}',
            { order_id: loaded.order.id, shipment_id: shipment.id },
            { carrier: carrier.trim(), tracking_numbers: numbersIn(tracking), note },
          ),
        )
      }
      onClose={callbacks.onClose}
    >
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
      <TextField
        label={translate('field.admin_notes')}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        multiline
      />
    </StepDialog>
  );
}
