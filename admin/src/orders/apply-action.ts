/**
 * Sends the requests of an order action. A refund is recorded first: if the store rejects it, the order must not appear as refunded.
 * The statuses, the tracking number and a payment follow.
 */
import { store } from '../api/client.ts';
import type { OrderStatuses } from './status-effects.ts';

/** A status of the order is not what the user saw. */
export class StatusConflict extends Error {
  /** The name of the status now. */
  readonly current: string;

  constructor(current: string) {
    super(`The status of the order is now ${current}.`);
    this.current = current;
  }
}

interface Extras {
  readonly money?: { readonly type: 'sale' | 'refund'; readonly value: number };
  readonly tracking?: string;
}

/**
 * @throws {StatusConflict} if a status to be changed is not `before`; requests after it are not sent
 * @throws {StoreProblem} if the store rejects a request; requests before it are not undone
 */
export async function applyAction(
  id: number,
  before: OrderStatuses,
  after: OrderStatuses,
  { money, tracking }: Extras,
): Promise<void> {
  const recordMoney = async (): Promise<void> => {
    await store.post('/orders/{order_id}/payment_transactions', { order_id: id }, { ...money!, status: 'S' });
  };
  if (money?.type === 'refund') await recordMoney();
  for (const field of ['payment', 'shipping'] as const) {
    if (before[field] === after[field]) continue;
    const path = field === 'payment' ? '/orders/{id}/payment_status' : '/orders/{id}/shipping_status';
    const status = await store.get(path, { id });
    if (status.data.code !== before[field]) throw new StatusConflict(status.data.name);
    await store.put(path, { id }, { code: after[field] }, { ifMatch: status });
  }
  if (tracking !== undefined)
    await store.post('/orders/{order_id}/tracking_numbers', { order_id: id }, { value: tracking });
  if (money?.type === 'sale') await recordMoney();
}
