/** What happened to an order, written down in the transaction of the change by the key that made it (orders.md §4). */
import type { Value } from '../../engine/ports.ts';
import type { Draft, Languages, Records, Removal, Rules } from '../../engine/resource.ts';
import { historySentence } from './order-history-texts.ts';
import { nameOf, type RememberedStatus, STATUSES, type StatusField } from './order-statuses.ts';

export type EventCode =
  | 'PLACE ORDER'
  | 'CHANGE PAYMENT STATUS ORDER'
  | 'CHANGE SHIPPING STATUS ORDER'
  | 'CHANGE NOTES ORDER'
  | 'CHANGE CUSTOMER NOTES ORDER'
  | 'CHANGE PRODUCT AMOUNT'
  | 'TRANSACTION'
  | 'ORDER TRACKING'
  | 'ORDER EDITED';

type Facts = Readonly<Record<string, Value>>;

/** @param facts what the sentence is filled in with where `data` is not enough: statuses, with their names */
export async function record(
  records: Records,
  { now, visitor }: Pick<Draft, 'now' | 'visitor'>,
  order: Value,
  code: EventCode,
  data: Facts = {},
  facts: Facts = {},
): Promise<void> {
  await records.add('OrderHistoryEvents', {
    order,
    date: now,
    code,
    description: { ...facts },
    data: { orderId: order, ...data },
    profile_name: visitor.keyName,
    ip: visitor.address,
  });
}

export async function recordStatus(
  records: Records,
  draft: Draft,
  order: Value,
  field: StatusField,
  [before, after]: readonly [RememberedStatus, RememberedStatus],
): Promise<void> {
  const data = {
    oldStatus: nameOf(before, field, draft),
    newStatus: nameOf(after, field, draft),
    oldStatusCode: before.code,
    newStatusCode: after.code,
  };
  await record(records, draft, order, STATUSES[field].event, data, { before: { ...before }, after: { ...after } });
}

export async function remembered(records: Records, field: StatusField, id: Value): Promise<RememberedStatus> {
  const { resource } = STATUSES[field];
  const status = await records.read(resource, id);
  return { code: status!.code as string, names: await records.texts(resource, id, 'name') };
}

/** The event as a sentence in the reader's language. */
export function describe(facts: Value, event: Facts, languages: Languages): string {
  const { before, after } = facts as unknown as { before?: RememberedStatus; after?: RememberedStatus };
  const field = event.code === STATUSES.payment_status.event ? 'payment_status' : 'shipping_status';
  const statuses: Facts =
    before && after ? { before: nameOf(before, field, languages), after: nameOf(after, field, languages) } : {};
  const { changes } = event.data as { readonly changes?: readonly { sku: string; from: number; to: number }[] };
  const amounts: Facts = changes ? { changes: changes.map(({ sku, from, to }) => `${sku} ${from} → ${to}`) } : {};
  return historySentence(event.code as EventCode, { ...(event.data as Facts), ...statuses, ...amounts }, languages);
}

/** A part of an order whose changes are written down under one code. */
export function recordedAs(
  code: EventCode,
  dataOf: (values: Facts, operation: Draft['operation'] | 'removal') => Facts,
): Pick<Rules, 'within' | 'withinRemoval'> {
  return {
    async within(draft, records) {
      const values = { ...draft.stored, ...draft.values };
      await record(records, draft, values.order!, code, dataOf(values, draft.operation));
    },
    async withinRemoval(removal: Removal, records) {
      const { stored } = removal;
      await record(records, removal, stored.order!, code, dataOf(stored, 'removal'));
    },
  };
}
