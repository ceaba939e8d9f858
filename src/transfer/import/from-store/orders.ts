/** Copies orders as past orders, like the import of an orders file (orders.md §6). */
import type { ApiRecord } from '../../api/store-api.ts';
import { readOrder } from '../orders-body.ts';
import type { StoreCopy } from './store-copy.ts';

/** A different order with this number exists. */
const CONFLICT = 409;

export async function copyOrders(storeCopy: StoreCopy): Promise<void> {
  const pending: string[] = [];
  async function* lines(): AsyncGenerator<ApiRecord> {
    for await (const record of storeCopy.records('/orders')) {
      storeCopy.throwIfInterrupted();
      const order = readOrder(JSON.stringify(record));
      if (!('body' in order)) {
        const message = 'skipped' in order ? order.skipped : order.unreadable;
        storeCopy.row('orders', String(record.id), 'skipped', {
          rejection: { status: 422, problems: [{ path: '', message }] },
        });
        continue;
      }
      pending.push(order.number ?? '');
      yield order.body;
    }
  }
  for await (const { result, rejection } of storeCopy.target.bulk('/orders', lines(), { past: true })) {
    const number = pending.shift()!;
    if (!rejection) storeCopy.row('orders', number, result as 'created');
    else storeCopy.row('orders', number, rejection.status === CONFLICT ? 'skipped' : 'failed', { rejection });
  }
}
