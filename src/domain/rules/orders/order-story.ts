/** One order from its first to its last day, as the reference tells it; every step runs against a fresh store. */
import type { Story } from '../../../engine/vocabulary.ts';

export const orderStory: Story = {
  title: 'An order from placing to refund',
  steps: [
    {
      text: 'Something to sell: ten mugs.',
      method: 'POST',
      path: '/products',
      body: { sku: 'MUG-1', name: 'Mug', price: 12.5, amount: 10 },
    },
    {
      text: 'Place an order for two. The price is the product’s, the sums are exact, and two mugs leave the stock in the same transaction. With an `Idempotency-Key`, sending it again makes no second order.',
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
      text: 'Paid: write down the money, then set the status.',
      method: 'POST',
      path: '/orders/1/payment_transactions',
      body: { value: 29.9, status: 'S', name: 'Card' },
    },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'P' } },
    {
      text: 'Shipped, with the carrier’s number.',
      method: 'POST',
      path: '/orders/1/tracking_numbers',
      body: { value: '1Z999AA10123456784' },
    },
    { method: 'PUT', path: '/orders/1/shipping_status', body: { code: 'S' } },
    {
      text: 'The parcel comes back and the order is cancelled: the two mugs are in stock again.',
      method: 'PUT',
      path: '/orders/1/shipping_status',
      body: { code: 'R' },
    },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'C' } },
    {
      text: 'Refunded: the money goes back.',
      method: 'POST',
      path: '/orders/1/payment_transactions',
      body: { type: 'refund', value: 29.9, status: 'S', name: 'Card' },
    },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'R' } },
    { text: 'The order’s events, by whom and when.', method: 'GET', path: '/orders/1/history' },
  ],
};
