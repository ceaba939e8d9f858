/** What erasing a person does to their records (profiles.md §4), shown before it is confirmed. */

/** A line of the dialog: its message key and the number of records. */
interface PlanLine {
  readonly key: string;
  readonly count: number;
}

export interface ErasurePlan {
  readonly removed: readonly PlanLine[];
  readonly emptied: readonly PlanLine[];
  readonly retained: readonly PlanLine[];
}

const REMOVED = ['profile', 'profile_address', 'order_detail', 'cart'];
const EMPTIED = ['order', 'transaction', 'order_shipment', 'order_return', 'order_history_events'];

/** @param records of an export of personal data. Orders and invoices are cleared in part and kept in part. */
export function erasurePlan(records: readonly { readonly resource: string; readonly record: object }[]): ErasurePlan {
  const count = (resource: string): number => records.filter((one) => one.resource === resource).length;
  const lines = (resources: readonly string[], group: string): PlanLine[] =>
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

/** Counts an order's tracking numbers, which are records of their own. Those of shipments are fields. */
function trackingNumbersOf(record: object): number {
  const { items, tracking_numbers } = record as { items?: unknown; tracking_numbers?: readonly unknown[] };
  return items === undefined ? 0 : (tracking_numbers?.length ?? 0);
}
