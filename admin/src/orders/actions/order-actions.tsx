/** The steps of an order that fit its state. Each opens a dialog that shows the effects first. */
import { Button, Stack } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMay, useMayWrite } from '../../utils/use-may.tsx';
import { EditItemsDialog } from '../draft/edit-items-dialog.tsx';
import type { LoadedOrder } from '../load-order.ts';
import { OrderActionDialog } from './order-action-dialog.tsx';
import { refundable, returnable, shippable } from './quantities.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { ReturnDialog } from './return-dialog.tsx';
import { ShipDialog } from './ship-dialog.tsx';
import { paidFor } from './status-effects.ts';
import { statusesOf } from './use-order-action.ts';
import type { StepCallbacks } from './use-settle.ts';

type Action = 'ship' | 'pay' | 'return' | 'refund' | 'edit' | 'cancel' | 'other';

interface Props {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

export function OrderActions({ loaded, onDone }: Props) {
  const [action, setAction] = useState<Action>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const mayRefund = useMay('orders:refund');
  if (!mayWrite) return null;
  const available = availableActions(loaded).filter((name) => name !== 'refund' || mayRefund);
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 2, flexWrap: 'wrap' }}>
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
      {action && dialogOf(action, { loaded, onDone, onClose: () => setAction(undefined) })}
    </>
  );
}

function dialogOf(action: Action, props: { loaded: LoadedOrder } & StepCallbacks): ReactNode {
  switch (action) {
    case 'ship':
      return <ShipDialog {...props} />;
    case 'return':
      return <ReturnDialog {...props} />;
    case 'refund':
      return <RefundDialog {...props} />;
    case 'edit':
      return <EditItemsDialog {...props} />;
    default:
      return <OrderActionDialog action={action} {...props} />;
  }
}

/** Returns the steps that the order allows; the most likely one is the first. */
function availableActions(loaded: LoadedOrder): Action[] {
  const { order, transactions, returns } = loaded;
  const { payment } = statusesOf(loaded);
  const isEnded = payment === 'C' || payment === 'D';
  const isRefunded = payment === 'R';
  const isUnpaid = payment !== 'P' && !isEnded && !isRefunded;
  const hasShipped = order.items.some(({ shipped_amount }) => shipped_amount > 0);
  const { paid } = paidFor(order, transactions);
  const hasUnits = order.items.some((item) => refundable(item, transactions) > 0);
  const mayShip = !isEnded && !isRefunded && order.items.some((item) => shippable(item) > 0);
  const mayReturn = !isEnded && order.items.some((item) => returnable(item, returns) > 0);
  const actions: readonly [Action, isAvailable: boolean][] = [
    ['pay', isUnpaid],
    ['ship', mayShip],
    ['return', mayReturn],
    ['refund', paid > 0 && (hasUnits || !isRefunded)],
    ['edit', !isEnded],
    ['cancel', !isEnded && !isRefunded && !hasShipped],
    ['other', true],
  ];
  return actions.filter(([, isAvailable]) => isAvailable).map(([action]) => action);
}
