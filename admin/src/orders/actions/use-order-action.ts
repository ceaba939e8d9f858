/** The state of a change of an order's statuses until it is confirmed. */
import { useState } from 'react';
import { parseNumber, useDecimalFormat } from '../../utils/format.ts';
import type { LoadedOrder } from '../load-order.ts';
import { balanceOf } from './balance.ts';
import { type OrderStatuses, stockChangeOf } from './status-effects.ts';
import { type StepCallbacks, useSettle } from './use-settle.ts';

/** `other`: the user chooses both statuses. */
export type StatusAction = 'pay' | 'cancel' | 'other';

/** The status codes that each action sets; it does not change the others. */
const STATUSES_AFTER: Readonly<Record<StatusAction, Partial<OrderStatuses>>> = {
  pay: { payment: 'P' },
  cancel: { payment: 'C', shipping: 'WND' },
  other: {},
};

export const statusesOf = ({ order }: Pick<LoadedOrder, 'order'>): OrderStatuses => ({
  payment: order.payment_status?.code ?? '',
  shipping: order.shipping_status?.code ?? '',
});

export function useOrderAction(action: StatusAction, loaded: LoadedOrder, callbacks: StepCallbacks) {
  const { order } = loaded;
  const before = statusesOf(loaded);
  const due = action === 'pay' ? balanceOf(loaded).due : 0;
  const hasMoney = due > 0;
  const [after, setAfter] = useState<OrderStatuses>({ ...before, ...STATUSES_AFTER[action] });
  const [recordsMoney, setRecordsMoney] = useState(hasMoney);
  const [typedAmount, setTypedAmount] = useState(useDecimalFormat(4)(due));
  const step = useSettle(loaded, callbacks);
  const value = parseNumber(typedAmount) ?? 0;
  const payment = recordsMoney && hasMoney && value > 0 ? value : undefined;

  function confirm(): Promise<void> {
    return step.settle({
      ...(payment === undefined ? {} : { transaction: { type: 'sale', status: 'S', value: payment } }),
      ...(before.payment === after.payment ? {} : { payment_status: after.payment }),
      ...(before.shipping === after.shipping ? {} : { shipping_status: after.shipping }),
    });
  }

  return {
    ...{ before, after, setAfter, payment, hasMoney, recordsMoney, setRecordsMoney, typedAmount, setTypedAmount },
    ...{ step, confirm, stockChange: stockChangeOf(before, after, order.stock_status === 'reduced') },
    hasNoEffect: payment === undefined && before.payment === after.payment && before.shipping === after.shipping,
  };
}
