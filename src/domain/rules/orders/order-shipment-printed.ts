/** The packing slip of a shipment (orders.md §11): what is in the parcel and where it goes, without prices. */
import { printedPage, type Value } from '../../../engine/vocabulary.ts';
import { readStore, USES_OF_STORE } from '../store/store-info.ts';
import { addressLines, type Lines, labelsFor, nameWithOptions, withoutEmpty } from './order-printed.ts';

const USES = {
  ...USES_OF_STORE,
  OrderShipment: ['order'],
  Order: ['order_number', 'billing_address', 'shipping_address'],
  OrderItem: ['order', 'name', 'sku', 'options'],
  OrderHistoryEvents: ['order', 'code', 'data'],
} as const;

/** Prints a shipment with the store's logo and seller of today. */
export const packingSlip = printedPage(USES, async (record, reads, context) => {
  const [language, labels] = labelsFor(context);
  const { logo, seller } = await readStore(reads, context.environment);
  const shipment = (await reads.read('OrderShipment', record.id!))!;
  const order = (await reads.read('Order', shipment.order))!;
  const items = new Map((await reads.list('OrderItem', { order: order.id })).map((item) => [item.id, item]));
  const events = await reads.list('OrderHistoryEvents', { order: order.id, code: 'SHIPMENT' });
  const number = `${labels.shipment} ${numberAmong(events, record.id!)}`;
  return {
    language,
    title: `${labels.packing_slip} · ${labels.order} ${order.order_number} · ${number}`,
    image: logo,
    blocks: withoutEmpty([
      { lines: [`${labels.order}: ${order.order_number}`, `${labels.date}: ${(record.date as string).slice(0, 10)}`] },
      { heading: labels.seller, lines: seller.split('\n') },
      { heading: labels.shipping, lines: addressLines(order.shipping_address, language) },
      { heading: labels.billing, lines: addressLines(order.billing_address, language) },
      { heading: labels.carrier, lines: [record.carrier as string] },
      { heading: labels.tracking, lines: record.tracking_numbers as string[] },
      {
        columns: [{ heading: labels.item }, { heading: labels.sku }, { heading: labels.amount, isNumber: true }],
        rows: (record.lines as Lines).map(({ item_id, amount }) => {
          const item = items.get(item_id!)!;
          return [nameWithOptions(item), String(item.sku), String(amount)];
        }),
      },
    ]),
  };
});

/**
 * Numbers the shipments of an order from 1. The history also has deleted shipments, so their numbers are not used again. Identifiers
 * cannot be the numbers, because all orders share them.
 */
function numberAmong(events: readonly { readonly data: Value }[], id: Value): number {
  const ids = events.map(({ data }) => Number((data as Readonly<Record<string, Value>>).shipment));
  return [...new Set(ids)].sort((one, other) => one - other).indexOf(Number(id)) + 1;
}
