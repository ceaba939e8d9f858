/**
 * Sends one step of an order. Money that goes back is sent first, as the store may refuse it: the order would else be shown as
 * refunded without it. Then the statuses, the tracking number, and money that came.
 */
import { store } from '../store/client.ts';
import type { Pair } from './effects.ts';

/** The order is not as it was shown. */
export class OrderMoved extends Error {
  readonly now: string;

  constructor(now: string) {
    super(`The order is ${now} meanwhile.`);
    this.now = now;
  }
}

interface Along {
  readonly money?: { readonly type: 'sale' | 'refund'; readonly value: number };
  readonly tracking?: string;
}

/**
 * @throws {OrderMoved} when a status that is to change is not `before` any more; nothing later is sent then
 * @throws {StoreProblem} when the store refuses; what was sent before stays
 */
export async function takeStep(id: number, before: Pair, after: Pair, { money, tracking }: Along): Promise<void> {
  const record = async (): Promise<void> => {
    await store.post('/orders/{order_id}/payment_transactions', { order_id: id }, { ...money!, status: 'S' });
  };
  if (money?.type === 'refund') await record();
  for (const field of ['payment', 'shipping'] as const) {
    if (before[field] === after[field]) continue;
    const path = field === 'payment' ? '/orders/{id}/payment_status' : '/orders/{id}/shipping_status';
    const read = await store.get(path, { id });
    if (read.data.code !== before[field]) throw new OrderMoved(read.data.name);
    await store.put(path, { id }, { code: after[field] }, { ifMatch: read });
  }
  if (tracking !== undefined)
    await store.post('/orders/{order_id}/tracking_numbers', { order_id: id }, { value: tracking });
  if (money?.type === 'sale') await record();
}
