/** The shipments of an order: what was sent, with which tracking numbers, and their packing slips. */
import { Box, Button, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { OrderShipmentOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import type { LoadedOrder } from './load-order.ts';
import { numberOf, unitsText } from './order-history.tsx';
import { ShipmentDialog } from './shipment-dialog.tsx';

interface Props {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

export function Shipments({ loaded, onDone }: Props) {
  const [edited, setEdited] = useState<OrderShipmentOutput>();
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction();
  const mayWrite = useMayWrite();
  const { order, shipments } = loaded;
  const parametersOf = ({ id }: OrderShipmentOutput) => ({ order_id: order.id, shipment_id: id });
  if (shipments.length === 0) return <Typography color="textSecondary">{translate('orders.noShipments')}</Typography>;
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {shipments.map((shipment) => {
        const name = translate('orders.shipment', { number: numberOf(loaded, 'shipment', shipment.id) });
        const details = [shipment.carrier, ...(shipment.tracking_numbers ?? [])].filter(Boolean).join(' · ');
        return (
          <Box key={shipment.id} component="li" sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
            <Typography sx={{ fontWeight: 600 }}>
              {name} · {format.dateTime(shipment.date)}
            </Typography>
            <Typography sx={{ overflowWrap: 'anywhere' }}>{unitsText(order, shipment.lines)}</Typography>
            {details && (
              <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                {details}
              </Typography>
            )}
            <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
              <MuiLink
                href={`/api/orders/${order.id}/shipments/${shipment.id}`}
                target="_blank"
                rel="noopener"
                aria-label={`${translate('orders.packingSlip')}: ${name}`}
              >
                {translate('orders.packingSlip')}
              </MuiLink>
              {mayWrite && (
                <>
                  <Button
                    size="small"
                    onClick={() => setEdited(shipment)}
                    aria-label={`${translate('button.edit')}: ${name}`}
                  >
                    {translate('button.edit')}
                  </Button>
                  <DeleteButton
                    name={name}
                    confirmation="orders.deleteShipment"
                    onConfirmed={async () => {
                      await action.run(() =>
                        store.delete('/orders/{order_id}/shipments/{shipment_id}', parametersOf(shipment)),
                      );
                      await onDone();
                    }}
                  />
                </>
              )}
            </Stack>
          </Box>
        );
      })}
      {edited && (
        <ShipmentDialog loaded={loaded} shipment={edited} onDone={onDone} onClose={() => setEdited(undefined)} />
      )}
    </Box>
  );
}
