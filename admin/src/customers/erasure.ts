/** The fate of a person's records when the person is erased (profiles.md §4), so that it is read before it is done. */

/** A line of the dialog: the key of its text, and how many records it is about. */
interface Line {
  readonly key: string;
  readonly count: number;
}

export interface Plan {
  readonly removed: readonly Line[];
  readonly emptied: readonly Line[];
  readonly retained: readonly Line[];
}

const REMOVED = ['profile', 'profile_address', 'order_detail'];
const EMPTIED = ['order', 'transaction', 'order_shipment', 'order_return', 'order_history_events'];

/** @param records as an export has them. Of an order and of an invoice a part is kept. */
export function planOf(records: readonly { readonly resource: string; readonly record: object }[]): Plan {
  const count = (resource: string): number => records.filter((one) => one.resource === resource).length;
  const lines = (resources: readonly string[], group: string): Line[] =>
    resources
      .map((resource) => ({ key: `erase.${group}.${resource}`, count: count(resource) }))
      .filter((line) => line.count > 0);
  const numbers = records.reduce((sum, { record }) => sum + trackingNumbersOf(record), 0);
  return {
    removed: [
      ...lines(REMOVED, 'removed'),
      ...(numbers > 0 ? [{ key: 'erase.removed.tracking', count: numbers }] : []),
    ],
    emptied: lines(EMPTIED, 'emptied'),
    retained: lines(['order', 'order_invoice'], 'retained'),
  };
}

/** Tracking numbers are shown inside their order. */
function trackingNumbersOf(record: object): number {
  const { items, tracking_numbers } = record as { items?: unknown; tracking_numbers?: readonly unknown[] };
  return items === undefined ? 0 : (tracking_numbers?.length ?? 0);
}
