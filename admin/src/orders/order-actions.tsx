/** The buttons that change an order's statuses. Each opens a dialog that shows the effects first. */
import { Button, Stack } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMayWrite } from '../utils/use-may-write.ts';
import type { LoadedOrder } from './load-order.ts';
import { OrderActionDialog } from './order-action-dialog.tsx';
import { type OrderAction, statusesOf } from './use-order-action.ts';

interface Props {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

export function OrderActions({ loaded, onDone }: Props) {
  const [action, setAction] = useState<OrderAction>();
  const translate = useTranslate();
  const available = availableActions(loaded);
  if (!useMayWrite()) return null;
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap className="no-print" sx={{ mt: 2, flexWrap: 'wrap' }}>
        {available.map((name) => (
          <Button
            key={name}
            variant={name === available[0] ? 'contained' : 'outlined'}
            color={name === 'cancel' ? 'error' : 'primary'}
            onClick={() => setAction(name)}
          >
            {translate(`orders.action.${name}`)}
          </Button>
        ))}
      </Stack>
      {action && (
        <OrderActionDialog action={action} loaded={loaded} onDone={onDone} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

/** Returns the actions that fit the order's statuses; the most likely one is the first. */
function availableActions(loaded: LoadedOrder): OrderAction[] {
  const { payment, shipping } = statusesOf(loaded);
  const isPaid = payment === 'P' || payment === 'PP';
  const isShipped = shipping === 'S' || shipping === 'D';
  const isClosed = payment === 'C' || payment === 'R' || payment === 'D';
  const actions: readonly [OrderAction, isAvailable: boolean][] = [
    ['pay', payment !== 'P' && !isClosed],
    ['ship', !isShipped && !isClosed && shipping !== 'R' && shipping !== 'WND'],
    ['return', isShipped],
    ['refund', isPaid],
    ['cancel', !isClosed && !isShipped],
    ['other', true],
  ];
  return actions.filter(([, isAvailable]) => isAvailable).map(([action]) => action);
}
