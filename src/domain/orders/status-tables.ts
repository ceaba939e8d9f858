/** The tables of payment and shipping statuses (orders.md §2): those of every store, and room for a store's own codes. */
import { type Resource, resource, rules, text } from '../../engine/vocabulary.ts';
import { PAYMENT_STATUSES, SHIPPING_STATUSES, type StatusField } from '../rules/orders/order-statuses.ts';

export const paymentStatus = statusTable(
  'PaymentStatus',
  'payment_status',
  '/payment_statuses/{id}',
  PAYMENT_STATUSES,
  {
    description: 'How far an order is paid. A code of the store’s own counts like `P` for stock.',
    example: 'LOAN',
  },
);

export const shippingStatus = statusTable(
  'ShippingStatus',
  'shipping_status',
  '/shipping_statuses/{id}',
  SHIPPING_STATUSES,
  { description: 'How far an order is shipped. A code of the store’s own counts like `N` for stock.', example: 'PICK' },
);

function statusTable(
  name: string,
  shownAs: StatusField,
  path: string,
  defaults: Readonly<Record<string, string>>,
  { description, example }: { description: string; example: string },
): Resource {
  return resource({
    name,
    group: 'Store',
    description,
    fields: {
      code: text({
        required: true,
        groups: ['all', 'read', 'insert'],
        unique: true,
        form: { pattern: /^[A-Za-z0-9]{1,4}$/, expected: '1 to 4 letters and digits' },
        description: 'Set once.',
        example,
      }),
      name: text({
        required: true,
        notBlank: true,
        lengthMax: 255,
        translated: true,
        fallback: 'built_in_name',
        description: 'A status that every store has keeps its English name until a language has its own name for it.',
        example: 'On account',
      }),
      built_in_name: text({ nullable: true, groups: [] }),
      customer_name: text({
        lengthMax: 255,
        translated: true,
        description: 'The name that customers are told, where it differs.',
      }),
    },
    naming: 'code',
    seeds: Object.entries(defaults).map(([code, name]) => ({ code, built_in_name: name })),
    routes: [{ path, operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
    filters: ['code'],
    rules: rules(
      { own: ['code'], Order: ['payment_status', 'shipping_status'] },
      {
        async checkRemoval({ id, code }, reads) {
          if ((code as string) in defaults) return `Every store has the status ${code}; it stays.`;
          if ((await reads.count('Order', { [shownAs]: id })) === 0) return undefined;
          return `Orders have the status ${code}; give them another one first.`;
        },
      },
    ),
  });
}
