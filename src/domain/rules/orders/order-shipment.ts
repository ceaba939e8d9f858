/**
 * Shipments of an order (orders.md §11). An order never ships more units than it has, and a shipment cannot be deleted if
 * its units are in returns. A write of a shipment locks its order, so concurrent shipments are checked one after the other.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { record } from './order-history.ts';
import { type Item, itemsOfOrder, linesOf, matchLines, rejectEndedOrder, unitsByItem } from './order-lines.ts';
import {
  applyStatusChange,
  checkStatusChange,
  requestedStatus,
  type StatusChange,
  USES_OF_STATUS_CHANGE,
} from './order-status-change.ts';
import { countOfUnits } from './order-stock.ts';

const USES = {
  ...USES_OF_STATUS_CHANGE,
  own: ['order', 'lines', 'tracking_numbers', 'carrier', 'shipping_status', 'date'],
  OrderTrackingNumber: ['order', 'shipment', 'value', 'date'],
  OrderShipmentLine: ['shipment', 'item_id', 'amount'],
  OrderReturn: ['order', 'status'],
  OrderReturnLine: ['return', 'item_id', 'amount'],
} as const;

type Unit = UnitOfWork<typeof USES>;
type ShipmentDraft = Draft<(typeof USES.own)[number]>;

/** Results of the check that the writes need. */
interface Findings {
  readonly items: ReadonlyMap<Value, Item>;
  readonly units: ReadonlyMap<Value, number>;
  readonly change?: StatusChange;
}

export const shipmentRules = rules(USES, {
  derive(draft): void {
    linesOf(draft);
  },
  async check(draft, unit): Promise<Findings> {
    if (draft.operation !== 'create') return { items: new Map(), units: new Map() };
    const { values, sent, violations } = draft;
    const order = (await unit.read('Order', values.order!))!;
    const items = await itemsOfOrder(unit, order.id);
    await rejectEndedOrder(draft, unit, order);
    const shipped = new Map<Value, number>();
    for (const { line, item, at } of matchLines(linesOf(draft), items, draft)) {
      const before = (item.shipped_amount as number) + (shipped.get(item.id) ?? 0);
      const left = (item.amount as number) - before;
      shipped.set(item.id, (shipped.get(item.id) ?? 0) + (line.amount as number));
      if ((line.amount as number) > left)
        violations.add(`${at}.amount`, 'range', `Only ${countOfUnits(left)} of item ${item.id} can still be shipped.`);
    }
    const request = { field: 'shipping_status', code: sent.shipping_status, at: 'shipping_status' } as const;
    const status = await requestedStatus(draft, unit, order, request);
    if (status === undefined) return { items, units: shipped };
    return { items, units: shipped, change: await checkStatusChange(draft, unit, order, { shipping_status: status }) };
  },
  async within(draft, unit, id, findings) {
    const { values, stored, operation } = draft;
    const { items, units, change } = findings!;
    const order = (values.order ?? stored!.order) as Value;
    if (operation === 'create') {
      await countShipped(unit, items, units, 1);
      const lines = [...units].map(([item_id, amount]) => ({ item_id, amount }));
      await record(unit, draft, order, 'SHIPMENT', { shipment: id, lines });
    }
    if (values.tracking_numbers !== undefined)
      await changeTrackingNumbers(draft, unit, { order, shipment: id, numbers: values.tracking_numbers as string[] });
    if (!change) return;
    await unit.update('Order', order, change.values);
    await applyStatusChange(change, draft, unit);
  },
  async checkRemoval(stored, unit) {
    const items = await itemsOfOrder(unit, stored.order);
    const returned = await returnedOrRequested(unit, stored.order, items);
    for (const [id, units] of await unitsIn(unit, stored)) {
      const left = (items.get(id)!.shipped_amount as number) - units;
      const count = returned.get(id) ?? 0;
      if (left < count)
        return `This shipment cannot be deleted: ${countOfUnits(count)} of item ${id} are in returns, but only ${left} in other shipments.`;
    }
    return undefined;
  },
  async withinRemoval(removal, unit) {
    const { stored } = removal;
    const units = await unitsIn(unit, stored);
    await countShipped(unit, await itemsOfOrder(unit, stored.order), units, -1);
    await unit.remove('OrderTrackingNumber', { shipment: stored.id });
    await record(unit, removal, stored.order, 'SHIPMENT', { shipment: stored.id, removed: true });
  },
});

async function unitsIn(unit: Unit, { id }: Stored<'order'>): Promise<Map<Value, number>> {
  return unitsByItem(await unit.list('OrderShipmentLine', { shipment: id }));
}

/** Counts the units of each item that were returned or are in an open return request. */
export async function returnedOrRequested(
  unit: Pick<Unit, 'list'>,
  order: Value,
  items: ReadonlyMap<Value, Item>,
): Promise<Map<Value, number>> {
  const requests = await unit.list('OrderReturn', { order, status: 'requested' });
  const lines =
    requests.length === 0 ? [] : await unit.list('OrderReturnLine', { return: requests.map(({ id }) => id) as Value });
  const units = unitsByItem(lines);
  return new Map(
    [...items.values()].map(({ id, returned_amount }) => [id, (returned_amount as number) + (units.get(id) ?? 0)]),
  );
}

/** Adds to or subtracts from `shipped_amount`. Shipped units are no longer backordered. */
async function countShipped(
  unit: Unit,
  items: ReadonlyMap<Value, Item>,
  units: ReadonlyMap<Value, number>,
  sign: 1 | -1,
): Promise<void> {
  const changes = [...units].map(([id, count]) => {
    const item = items.get(id)!;
    const shipped_amount = (item.shipped_amount as number) + sign * count;
    const open = (item.amount as number) - shipped_amount;
    return [id, { shipped_amount, backordered_amount: Math.min(item.backordered_amount as number, open) }] as const;
  });
  await unit.updateAll('OrderItem', new Map(changes));
}

/** Copies a shipment's tracking numbers to the order, which lists those of all its shipments. */
async function changeTrackingNumbers(
  draft: ShipmentDraft,
  unit: Unit,
  {
    order,
    shipment,
    numbers,
  }: { readonly order: Value; readonly shipment: Value; readonly numbers: readonly string[] },
): Promise<void> {
  const stored = await unit.list('OrderTrackingNumber', { shipment });
  const removed = stored.filter(({ value }) => !numbers.includes(value as string));
  const added = numbers.filter((number) => !stored.some(({ value }) => value === number));
  if (removed.length > 0) await unit.remove('OrderTrackingNumber', { id: removed.map(({ id }) => id) as Value });
  for (const value of added) await unit.insert('OrderTrackingNumber', { order, shipment, value });
  if (removed.length + added.length > 0)
    await record(unit, draft, order, 'ORDER TRACKING', { value: numbers.join(', '), shipment });
}
