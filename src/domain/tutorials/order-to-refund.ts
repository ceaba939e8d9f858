/** Tutorial of the API reference: an order from placing to refund. Tests run every step against an empty store. */
import type { Tutorial } from '../../engine/vocabulary.ts';

export const orderToRefundTutorial: Tutorial = {
  title: 'An order from placing to refund',
  steps: [
    {
      text: 'Create a product: ten mugs in stock.',
      method: 'POST',
      path: '/products',
      body: { sku: 'MUG-1', name: 'Mug', price: 12.5, amount: 10 },
    },
    {
      text: 'Order two. The order uses the product’s price and takes two mugs out of the stock in the same transaction. The `Idempotency-Key` makes a retry safe: it does not create a second order.',
      method: 'POST',
      path: '/orders',
      headers: { 'Idempotency-Key': 'order-of-ada-1' },
      body: {
        email: 'ada@example.com',
        items: [{ sku: 'MUG-1', amount: 2 }],
        surcharges: [{ type: 'shipping', value: 4.9 }],
        shipping_address: { firstname: 'Ada', lastname: 'Lovelace', city: 'London', country_code: 'GB' },
      },
    },
    {
      text: 'Record the payment, then set the payment status.',
      method: 'POST',
      path: '/orders/1/payment_transactions',
      body: { value: 29.9, status: 'S', name: 'Card' },
    },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'P' } },
    {
      text: 'Add the tracking number, then set the shipping status.',
      method: 'POST',
      path: '/orders/1/tracking_numbers',
      body: { value: '1Z999AA10123456784' },
    },
    { method: 'PUT', path: '/orders/1/shipping_status', body: { code: 'S' } },
    {
      text: 'The parcel comes back and the order is canceled. The two mugs are in stock again.',
      method: 'PUT',
      path: '/orders/1/shipping_status',
      body: { code: 'R' },
    },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'C' } },
    {
      text: 'Record the refund.',
      method: 'POST',
      path: '/orders/1/payment_transactions',
      body: { type: 'refund', value: 29.9, status: 'S', name: 'Card' },
    },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'R' } },
    { text: 'Read the history of the order.', method: 'GET', path: '/orders/1/history' },
  ],
};
