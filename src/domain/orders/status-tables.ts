/** Tables of payment and shipping statuses (orders.md §2): built-in ones and the store's own. */
import { type Resource, resource, rules, text } from '../../engine/vocabulary.ts';
import { PAYMENT_STATUSES, SHIPPING_STATUSES, type StatusField } from '../rules/orders/order-statuses.ts';

export const paymentStatus = statusTable(
  'PaymentStatus',
  'payment_status',
  '/payment_statuses/{id}',
  PAYMENT_STATUSES,
  {
    description: 'A payment status of orders. For stock, the store’s own codes count like `P`.',
    example: 'LOAN',
  },
);

export const shippingStatus = statusTable(
  'ShippingStatus',
  'shipping_status',
  '/shipping_statuses/{id}',
  SHIPPING_STATUSES,
  { description: 'A shipping status of orders. For stock, the store’s own codes count like `N`.', example: 'PICK' },
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
        description: 'Unique code; cannot be changed.',
        example,
      }),
      name: text({
        required: true,
        notBlank: true,
        lengthMax: 255,
        translated: true,
        fallback: 'built_in_name',
        description:
          'Name of the status. Built-in statuses have an English name in languages without a name of their own.',
        example: 'On account',
      }),
      built_in_name: text({ nullable: true, groups: [] }),
      customer_name: text({
        lengthMax: 255,
        translated: true,
        description: 'Name shown to customers, if it differs from `name`.',
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
          if ((code as string) in defaults) return `The built-in status ${code} cannot be deleted.`;
          if ((await reads.count('Order', { [shownAs]: id })) === 0) return undefined;
          return `The status ${code} is used by orders. Set another status on them first.`;
        },
      },
    ),
  });
}
