/** Records an order's events in the transaction of the change, with the API key that made it (orders.md §4). */
import type { Draft, Languages, Reads, Removal, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { afterWrite } from '../after-write.ts';
import { type EventCode, historyMessage } from './order-history-texts.ts';
import { nameOf, STATUSES, type StatusField, type StatusSnapshot } from './order-statuses.ts';

type Facts = Readonly<Record<string, Value>>;

export const USES_OF_HISTORY = {
  OrderHistoryEvents: ['order', 'date', 'code', 'description', 'data', 'profile_name', 'ip'],
} as const;

export const USES_OF_STATUSES = {
  PaymentStatus: ['code', 'name'],
  ShippingStatus: ['code', 'name'],
} as const;

/**
 * Records an event.
 *
 * @param data - values that output shows
 * @param facts - further values of the message that output does not show, such as status names in every language
 */
export async function record(
  unit: UnitOfWork<typeof USES_OF_HISTORY>,
  { now, actor }: Pick<Draft, 'now' | 'actor'>,
  order: Value,
  code: EventCode,
  data: Facts = {},
  facts: Facts = {},
): Promise<void> {
  await unit.insert('OrderHistoryEvents', {
    order,
    date: now,
    code,
    description: { ...facts },
    data: { orderId: order, ...data },
    profile_name: actor.keyName,
    ip: actor.address,
  });
}

export async function recordStatus(
  unit: UnitOfWork<typeof USES_OF_HISTORY>,
  draft: Pick<Draft, 'now' | 'actor' | keyof Languages>,
  order: Value,
  field: StatusField,
  [before, after]: readonly [StatusSnapshot, StatusSnapshot],
): Promise<void> {
  const data = {
    oldStatus: nameOf(before, field, draft),
    newStatus: nameOf(after, field, draft),
    oldStatusCode: before.code,
    newStatusCode: after.code,
  };
  await record(unit, draft, order, STATUSES[field].event, data, { before: { ...before }, after: { ...after } });
}

/** Returns a status with its names, as the history stores it. */
export async function statusSnapshot(
  reads: Reads<typeof USES_OF_STATUSES>,
  field: StatusField,
  id: Value,
): Promise<StatusSnapshot> {
  const { resource } = STATUSES[field];
  const status = await reads.read(resource, id);
  return { code: status!.code as string, names: (await reads.texts(resource, [id], 'name')).get(id)! };
}

/** Describes an event in the reader's language. */
export function describe(facts: Value, event: Facts, languages: Languages): string {
  const { before, after } = facts as unknown as { before?: StatusSnapshot; after?: StatusSnapshot };
  const field = event.code === STATUSES.payment_status.event ? 'payment_status' : 'shipping_status';
  const statuses: Facts =
    before && after ? { before: nameOf(before, field, languages), after: nameOf(after, field, languages) } : {};
  const { changes } = event.data as { readonly changes?: readonly { sku: string; from: number; to: number }[] };
  const amounts: Facts = changes ? { changes: changes.map(({ sku, from, to }) => `${sku} ${from} → ${to}`) } : {};
  return historyMessage(event.code as EventCode, { ...(event.data as Facts), ...statuses, ...amounts }, languages);
}

/** Members of an event's data that can contain text written by clients. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['detail', 'value']);

/** Erases texts that can contain personal data. The `value` of a transaction is a number and stays. */
export function eraseTexts(data: Value): Value {
  const isText = ([name, value]: [string, Value]): boolean => TEXT_MEMBERS.has(name) && typeof value === 'string';
  return Object.fromEntries(Object.entries(data as Facts).map((entry) => (isText(entry) ? [entry[0], ''] : entry)));
}

/** Creates rules for a part of an order that record each of its changes with one event code. */
export function recordedAs<F extends string>(
  code: EventCode,
  dataOf: (values: Readonly<Partial<Record<F, Value>>>, operation: Draft['operation'] | 'removal') => Facts,
) {
  type Unit = UnitOfWork<typeof USES_OF_HISTORY>;
  return {
    async within(draft: Draft<F | 'order'>, unit: Unit): Promise<void> {
      const values: Partial<Record<F | 'order', Value>> = afterWrite(draft);
      await record(unit, draft, values.order!, code, dataOf(values, draft.operation));
    },
    async withinRemoval(removal: Removal<F | 'order'>, unit: Unit): Promise<void> {
      const stored: Partial<Record<F | 'order', Value>> = removal.stored;
      await record(unit, removal, stored.order!, code, dataOf(stored, 'removal'));
    },
  };
}
