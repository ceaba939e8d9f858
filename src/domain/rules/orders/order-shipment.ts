/**
 * Shipments of an order (orders.md §11): never more pieces than the order has, and none taken back that were returned.
 * A write of a shipment holds its order, so two that are sent at once are looked at one after the other.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { record } from './order-history.ts';
import { type Item, itemsOfOrder, linesOf, meantBy, refuseEnded, unitsAre, unitsByItem } from './order-lines.ts';
import {
  askedStatus,
  carryOut,
  checkStatusChange,
  type StatusChange,
  USES_OF_STATUS_CHANGE,
} from './order-status-change.ts';

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

/** A check's findings, for the writes that follow it. */
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
    await refuseEnded(draft, unit, order);
    const shipped = new Map<Value, number>();
    for (const { line, item, at } of meantBy(linesOf(draft), items, draft)) {
      const before = (item.shipped_amount as number) + (shipped.get(item.id) ?? 0);
      const left = (item.amount as number) - before;
      shipped.set(item.id, (shipped.get(item.id) ?? 0) + (line.amount as number));
      if ((line.amount as number) > left)
        violations.add(`${at}.amount`, 'range', `Of item ${item.id} ${unitsAre(left)} left to be shipped.`);
    }
    const asking = { field: 'shipping_status', code: sent.shipping_status, at: 'shipping_status' } as const;
    const status = await askedStatus(draft, unit, order, asking);
    if (status === undefined) return { items, units: shipped };
    return { items, units: shipped, change: await checkStatusChange(draft, unit, order, { shipping_status: status }) };
  },
  async within(draft, unit, id, found) {
    const { values, stored, operation } = draft;
    const { items, units, change } = found!;
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
    await carryOut(change, draft, unit);
  },
  async checkRemoval(stored, unit) {
    const items = await itemsOfOrder(unit, stored.order);
    const asked = await returnedOrAsked(unit, stored.order, items);
    for (const [id, units] of await unitsIn(unit, stored)) {
      const left = (items.get(id)!.shipped_amount as number) - units;
      const count = asked.get(id) ?? 0;
      if (left < count)
        return `Of item ${id} ${count} pieces are in returns, and ${unitsAre(left)} in other shipments; this one stays.`;
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

/** Pieces that came back, or that a customer asked to send back, by item. */
export async function returnedOrAsked(
  unit: Pick<Unit, 'list'>,
  order: Value,
  items: ReadonlyMap<Value, Item>,
): Promise<Map<Value, number>> {
  const asked = await unit.list('OrderReturn', { order, status: 'requested' });
  const lines =
    asked.length === 0 ? [] : await unit.list('OrderReturnLine', { return: asked.map(({ id }) => id) as Value });
  const units = unitsByItem(lines);
  return new Map(
    [...items.values()].map(({ id, returned_amount }) => [id, (returned_amount as number) + (units.get(id) ?? 0)]),
  );
}

/** A piece that was sent is owed no more. */
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

/** The order shows the numbers of all its shipments. */
async function changeTrackingNumbers(
  draft: ShipmentDraft,
  unit: Unit,
  {
    order,
    shipment,
    numbers,
  }: { readonly order: Value; readonly shipment: Value; readonly numbers: readonly string[] },
): Promise<void> {
  const known = await unit.list('OrderTrackingNumber', { shipment });
  const gone = known.filter(({ value }) => !numbers.includes(value as string));
  const added = numbers.filter((number) => !known.some(({ value }) => value === number));
  if (gone.length > 0) await unit.remove('OrderTrackingNumber', { id: gone.map(({ id }) => id) as Value });
  for (const value of added) await unit.insert('OrderTrackingNumber', { order, shipment, value });
  if (gone.length + added.length > 0)
    await record(unit, draft, order, 'ORDER TRACKING', { value: numbers.join(', '), shipment });
}
