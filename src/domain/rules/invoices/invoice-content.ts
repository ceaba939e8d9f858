/** What an invoice copies from its order (orders.md §14). */
import {
  decimal,
  type Field,
  type Group,
  integer,
  type Reads,
  recorded,
  type Stored,
  text,
  type Value,
} from '../../../engine/vocabulary.ts';
import type { InvoiceContent, Line, Share } from './credit-note.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const USES_OF_CONTENT = {
  Order: ['sub_total', 'total', 'currency'],
  OrderItem: ['order', 'name', 'sku', 'options', 'amount', 'price', 'discounted_subtotal', 'surcharges'],
  Surcharge: ['order', 'type', 'name', 'include', 'available', 'value', 'weight'],
} as const;

/** The members of a line of a document. */
export const LINE_FIELDS: Readonly<Record<string, Field>> = {
  item_id: integer({ min: 1, required: true, description: 'Id of an item of the invoice.' }),
  name: text({ groups: OUTPUT_ONLY }),
  sku: text({ groups: OUTPUT_ONLY }),
  options: recorded({
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { schema: { type: 'string' } }, value: { schema: { type: 'string' } } },
        required: ['name', 'value'],
      },
    },
    default: [],
  }),
  amount: integer({ min: 1, max: 1_000_000, required: true, description: 'Number of units.' }),
  price: decimal({
    min: 0,
    description: 'Price of one unit. If omitted from a credit note, the price on the invoice.',
  }),
  subtotal: decimal({ groups: OUTPUT_ONLY }),
};

export const LINES_EXAMPLE = [
  { item_id: 1, name: 'T-shirt', sku: 'TSHIRT-1', options: [], amount: 2, price: 19.99, subtotal: 39.98 },
];

/** The surcharges of a document. */
export const SURCHARGES_SCHEMA: Field['outputSchema'] = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      type: { schema: { type: 'string' } },
      name: { schema: { type: 'string' } },
      include: { schema: { type: 'boolean' } },
      value: { schema: { type: 'number' } },
    },
    required: ['type', 'name', 'include', 'value'],
  },
};

/** Reads what an invoice of the order would contain now. */
export async function contentOfOrder(
  reads: Pick<Reads<typeof USES_OF_CONTENT>, 'list'>,
  order: Stored<(typeof USES_OF_CONTENT.Order)[number]>,
): Promise<InvoiceContent> {
  const items = await reads.list('OrderItem', { order: order.id });
  const surcharges = (await reads.list('Surcharge', { order: order.id }))
    .filter(({ available }) => available === true)
    .sort((one, other) => (one.weight as number) - (other.weight as number));
  const lines = items
    .filter(({ amount }) => (amount as number) > 0)
    .map(({ id, name, sku, options, amount, price, discounted_subtotal }) => ({
      item_id: id as number,
      name,
      sku,
      options: (options as Record<string, Value>[]).map((option) => ({ name: option.name!, value: option.value! })),
      amount,
      price,
      subtotal: discounted_subtotal,
    }));
  return {
    lines: lines as Line[],
    surcharges: surcharges.map(({ type, name, include, value }) => ({ type, name, include, value })),
    shares: sharesOf(items, surcharges),
    sub_total: order.sub_total as number,
    total: order.total as number,
    currency: order.currency as string,
  };
}

/** Lists the shares of the items of a calculated order (pricing.md §5). */
function sharesOf(items: readonly Stored<'surcharges'>[], surcharges: readonly Stored<never>[]): Share[] {
  const positions = new Map(surcharges.map(({ id }, position) => [id, position]));
  return items.flatMap(({ id, surcharges: own }) =>
    (own as { readonly id: number; readonly value: number }[]).flatMap(({ id: surcharge, value }) => {
      const position = positions.get(surcharge);
      return position === undefined ? [] : [{ item_id: id as number, surcharge: position, value }];
    }),
  );
}
