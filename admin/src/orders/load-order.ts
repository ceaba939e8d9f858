import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';

export type LoadedOrder = Awaited<ReturnType<typeof loadOrder>>;

/** Reads an order with everything that happened to it. @throws {StoreProblem} if the order does not exist */
export async function loadOrder(id: number) {
  const parameters = { order_id: id };
  const [order, history, transactions, invoices, shipments, returns] = await Promise.all([
    store.get('/orders/{id}', { id }),
    readAll('/orders/{order_id}/history', parameters),
    readAll('/orders/{order_id}/payment_transactions', parameters),
    readAll('/orders/{order_id}/invoices', parameters),
    readAll('/orders/{order_id}/shipments', parameters),
    readAll('/orders/{order_id}/returns', parameters),
  ]);
  return { ...{ order: order.data, etag: order.etag! }, ...{ history, transactions, invoices, shipments, returns } };
}
