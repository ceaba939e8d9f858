/** The state of an order action until it is confirmed: statuses, amount and tracking number. */
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useErrorMessage } from '../utils/error-messages.ts';
import { parseNumber, useDecimalFormat } from '../utils/format.ts';
import { applyAction, StatusConflict } from './apply-action.ts';
import type { LoadedOrder } from './load-order.ts';
import { amountDue, netPaid, type OrderStatuses, stockChangeOf } from './status-effects.ts';

/** `other`: the user chooses both statuses. */
export type OrderAction = 'pay' | 'ship' | 'return' | 'refund' | 'cancel' | 'other';

/** The status codes that each action sets; it does not change the others. */
const STATUSES_AFTER: Readonly<Record<OrderAction, Partial<OrderStatuses>>> = {
  pay: { payment: 'P' },
  ship: { shipping: 'S' },
  return: { shipping: 'R' },
  refund: { payment: 'R' },
  cancel: { payment: 'C', shipping: 'WND' },
  other: {},
};

export const statusesOf = ({ order }: LoadedOrder): OrderStatuses => ({
  payment: order.payment_status?.code ?? '',
  shipping: order.shipping_status?.code ?? '',
});

interface Callbacks {
  onDone(): Promise<void>;
  onClose(): void;
}

export function useOrderAction(action: OrderAction, loaded: LoadedOrder, { onDone, onClose }: Callbacks) {
  const { order, transactions } = loaded;
  const before = statusesOf(loaded);
  const paid = netPaid(transactions);
  const suggestedAmount = action === 'pay' ? amountDue(order.total, paid) : action === 'refund' ? paid : 0;
  const hasMoney = suggestedAmount > 0;
  const [chosen, setChosen] = useState<OrderStatuses>({ ...before, ...STATUSES_AFTER[action] });
  const [recordsMoney, setRecordsMoney] = useState(hasMoney);
  const [typedAmount, setTypedAmount] = useState(useDecimalFormat(4)(suggestedAmount));
  const [tracking, setTracking] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();

  const value = parseNumber(typedAmount);
  const money =
    recordsMoney && hasMoney && value !== undefined && value > 0
      ? ({ type: action === 'refund' ? 'refund' : 'sale', value } as const)
      : undefined;
  // After a partial refund the order is still paid.
  const after = money?.type === 'refund' && money.value < paid ? before : chosen;

  async function confirm(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await applyAction(order.id, before, after, {
        ...(money ? { money } : {}),
        ...(tracking.trim() === '' ? {} : { tracking: tracking.trim() }),
      });
      notify('state.saved', { type: 'success' });
      onClose();
    } catch (error) {
      const isConflict = error instanceof StatusConflict;
      setProblem(isConflict ? translate('orders.statusConflict', { status: error.current }) : errorMessage(error));
    } finally {
      setBusy(false);
      await onDone();
    }
  }

  return {
    ...{ before, after, chosen, setChosen, money, hasMoney, recordsMoney, setRecordsMoney },
    ...{ typedAmount, setTypedAmount, tracking, setTracking, problem, isBusy, confirm },
    stockChange: stockChangeOf(before, after, order.stock_status === 'reduced'),
    hasNoEffect: action === 'other' && before.payment === after.payment && before.shipping === after.shipping,
  };
}
