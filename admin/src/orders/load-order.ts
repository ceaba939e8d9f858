import { store } from '../api/client.ts';

export type LoadedOrder = Awaited<ReturnType<typeof loadOrder>>;

/** Reads an order with its history, payments and invoices. @throws {StoreProblem} if the order does not exist */
export async function loadOrder(id: number) {
  const [order, history, transactions, invoices] = await Promise.all([
    store.get('/orders/{id}', { id }),
    store.page('/orders/{order_id}/history', { order_id: id }),
    store.page('/orders/{order_id}/payment_transactions', { order_id: id }),
    store.page('/orders/{order_id}/invoices', { order_id: id }),
  ]);
  return {
    ...{ order: order.data, etag: order.etag!, history: history.data },
    ...{ transactions: transactions.data, invoices: invoices.data },
  };
}
