/** The steps of an order. Each opens a dialog that shows the effects first, or says why it is not possible. */
import { Stack } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMay, useMayWrite } from '../../utils/use-may.tsx';
import { EditItemsDialog } from '../draft/edit-items-dialog.tsx';
import type { LoadedOrder } from '../load-order.ts';
import { balanceOf } from './balance.ts';
import { ExplainedButton } from './explained-button.tsx';
import { OrderActionDialog, titleOf } from './order-action-dialog.tsx';
import { returnable, shippable } from './quantities.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { refundableUnits } from './refund-value.ts';
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
  const steps = stepsOf(loaded).filter(([name]) => name !== 'refund' || mayRefund);
  const first = steps.find(([, reason]) => reason === undefined)?.[0];
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 2, flexWrap: 'wrap' }}>
        {steps.map(([name, reason]) => (
          <ExplainedButton
            key={name}
            reason={reason && translate(`orders.notPossible.${reason}`)}
            variant={name === first ? 'contained' : 'outlined'}
            color={name === 'cancel' ? 'error' : 'primary'}
            onClick={() => setAction(name)}
          >
            {translate(titleOf(name, loaded))}
          </ExplainedButton>
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

/** Why a step is not possible: the end of a message key. Undefined if it is possible. */
type Reason = string | undefined;

/** Returns all steps, each with the reason if the order does not allow it. */
function stepsOf(loaded: LoadedOrder): readonly [Action, Reason][] {
  const { order, returns } = loaded;
  const { payment } = statusesOf(loaded);
  const isEnded = payment === 'C' || payment === 'D';
  const isRefunded = payment === 'R';
  const ended = isEnded ? 'ended' : undefined;
  const refunded = isRefunded ? 'refunded' : undefined;
  const hasShipped = order.items.some(({ shipped_amount }) => shipped_amount > 0);
  const mayShip = order.items.some((item) => shippable(item) > 0);
  const mayReturn = order.items.some((item) => returnable(item, returns) > 0);
  return [
    ['pay', ended ?? refunded ?? (payment === 'P' && balanceOf(loaded).due === 0 ? 'paid' : undefined)],
    ['ship', ended ?? refunded ?? (mayShip ? undefined : 'nothingToShip')],
    ['return', ended ?? (mayReturn ? undefined : hasShipped ? 'returned' : 'notShipped')],
    ['refund', noRefundReason(loaded)],
    ['edit', ended],
    ['cancel', isEnded ? 'canceled' : (refunded ?? (hasShipped ? 'cancelShipped' : undefined))],
    ['other', undefined],
  ];
}

function noRefundReason(loaded: LoadedOrder): Reason {
  const { order, transactions } = loaded;
  const isRefunded = statusesOf(loaded).payment === 'R';
  const hasUnits = order.items.some((item) => refundableUnits(item, loaded) > 0);
  if (paidFor(order, transactions).paid > 0 && (hasUnits || !isRefunded)) return undefined;
  const hasRefund = transactions.some(({ type, status }) => type.startsWith('refund') && status === 'S');
  return isRefunded || hasRefund ? 'allRefunded' : 'notPaid';
}
