/** Tutorial of the API reference: a product with sizes, a partial return and its credit note. */
import type { Tutorial } from '../../engine/vocabulary.ts';

export const partialReturnTutorial: Tutorial = {
  title: 'A product with sizes, a partial return and its credit note',
  steps: [
    {
      text: 'Create a T-shirt with an attribute “Size”, two options, and a value for each.',
      method: 'POST',
      path: '/products',
      body: { sku: 'TEE', name: 'T-shirt', price: 20 },
    },
    { method: 'POST', path: '/products/1/attributes_select', body: { name: 'Size' } },
    { method: 'POST', path: '/products/1/attributes_select/1/options', body: { value: 'M' } },
    { method: 'POST', path: '/products/1/attributes_select/1/options', body: { value: 'L' } },
    { method: 'POST', path: '/products/1/attributes_select/1/values', body: { option_id: 1 } },
    { method: 'POST', path: '/products/1/attributes_select/1/values', body: { option_id: 2 } },
    {
      text: 'Create a variant for each size, with its own SKU and stock.',
      method: 'POST',
      path: '/products/1/variants',
      body: { sku: 'TEE-M', amount: 10, attribute_select_values: [1] },
    },
    {
      method: 'POST',
      path: '/products/1/variants',
      body: { sku: 'TEE-L', amount: 10, attribute_select_values: [2] },
    },
    {
      text: 'Place an order for three shirts and record the payment.',
      method: 'POST',
      path: '/orders',
      body: {
        email: 'ada@example.com',
        items: [
          { sku: 'TEE-M', amount: 2 },
          { sku: 'TEE-L', amount: 1 },
        ],
        surcharges: [{ type: 'shipping', value: 5 }],
        billing_address: { firstname: 'Ada', lastname: 'Lovelace', city: 'London', country_code: 'GB' },
      },
    },
    { method: 'POST', path: '/orders/1/payment_transactions', body: { value: 65, status: 'S', name: 'Card' } },
    { method: 'PUT', path: '/orders/1/payment_status', body: { code: 'P' } },
    {
      text: 'Edit the order: the customer wants two in L. `?dry_run` previews the result without saving it.',
      method: 'POST',
      path: '/orders/1/edit?dry_run',
      body: {
        change: [
          { item_id: 1, amount: 1 },
          { item_id: 2, amount: 2 },
        ],
      },
    },
    {
      method: 'POST',
      path: '/orders/1/edit',
      body: {
        change: [
          { item_id: 1, amount: 1 },
          { item_id: 2, amount: 2 },
        ],
      },
    },
    {
      text: 'Ship everything and create the invoice.',
      method: 'POST',
      path: '/orders/1/shipments',
      body: {
        lines: [
          { item_id: 1, amount: 1 },
          { item_id: 2, amount: 2 },
        ],
        carrier: 'UPS',
        tracking_numbers: ['1Z999AA10123456784'],
        shipping_status: 'S',
      },
    },
    { method: 'POST', path: '/orders/1/invoices', body: { kind: 'invoice' } },
    {
      text: 'Two shirts come back. The M can be sold again; the L is torn and written off.',
      method: 'POST',
      path: '/orders/1/returns',
      body: {
        lines: [
          { item_id: 1, amount: 1, restock: true, reason: 'Too small' },
          { item_id: 2, amount: 1, restock: false, reason: 'Torn' },
        ],
      },
    },
    { method: 'PATCH', path: '/orders/1/returns/1', body: { status: 'received' } },
    {
      text: 'Refund both and create a credit note.',
      method: 'POST',
      path: '/orders/1/payment_transactions',
      body: {
        type: 'refundPart',
        value: 40,
        status: 'S',
        name: 'Card',
        lines: [
          { item_id: 1, amount: 1, value: 20 },
          { item_id: 2, amount: 1, value: 20 },
        ],
      },
    },
    {
      method: 'POST',
      path: '/orders/1/invoices',
      body: {
        kind: 'credit_note',
        of: 1,
        lines: [
          { item_id: 1, amount: 1 },
          { item_id: 2, amount: 1 },
        ],
      },
    },
    {
      text: 'Check the counters of the order’s items and the stock of the M.',
      method: 'GET',
      path: '/orders/1',
    },
    { method: 'GET', path: '/products/1/variants' },
  ],
};
