/** The timeline of an order, newest first, in sentences of the page's language. */
import { Box, Typography } from '@mui/material';
import type { OrderHistoryEventsOutput, OrderOutput, OrderReturnOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { type Format, useFormat } from '../utils/format.ts';
import type { LoadedOrder } from './load-order.ts';
import { type StatusKind, useStatusName } from './statuses.ts';

type Event = OrderHistoryEventsOutput;
type Translate = ReturnType<typeof useTranslate>;

export function OrderHistory({ loaded }: { loaded: LoadedOrder }) {
  const format = useFormat();
  const translate = useTranslate();
  const describe = useDescription(loaded);
  return (
    <Box component="ol" reversed sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {[...loaded.history]
        .sort((a, b) => b.date.localeCompare(a.date) || b.id - a.id)
        .map((event) => (
          <Box component="li" key={event.id} sx={{ borderLeft: 2, borderColor: 'divider', pl: 1.5, pb: 1.5 }}>
            <Typography sx={{ overflowWrap: 'anywhere' }}>{describe(event)}</Typography>
            <Typography variant="body2" color="textSecondary">
              {format.dateTime(event.date)}
              {event.profile_name && ` · ${translate('orders.by', { name: event.profile_name })}`}
            </Typography>
          </Box>
        ))}
    </Box>
  );
}

interface Context {
  readonly loaded: LoadedOrder;
  readonly translate: Translate;
  readonly format: Format;
  statusName(kind: StatusKind, code: unknown, name: unknown): string;
}

function useDescription(loaded: LoadedOrder): (event: Event) => string {
  const translate = useTranslate();
  const format = useFormat();
  const nameOf = useStatusName();
  const context: Context = {
    ...{ loaded, translate, format },
    statusName: (kind, code, name) => nameOf(kind, { code: String(code), name: String(name) }),
  };
  // The data and the description of an event are hidden from people who see no personal data.
  return (event) =>
    (event.data && SENTENCES[event.code]?.(event, context)) ?? event.description ?? translate('timeline.hidden');
}

/** A sentence for each code of an event (orders.md §4). Others have the store's own description. */
const SENTENCES: Readonly<Record<string, (event: Event, context: Context) => string>> = {
  'PLACE ORDER': ({ data }, { translate }) => translate('timeline.placed', { number: data.orderNumber }),
  'CHANGE PAYMENT STATUS ORDER': (event, context) => statusSentence('payment', event, context),
  'CHANGE SHIPPING STATUS ORDER': (event, context) => statusSentence('shipping', event, context),
  'CHANGE NOTES ORDER': (_event, { translate }) => translate('timeline.adminNotes'),
  'CHANGE CUSTOMER NOTES ORDER': (_event, { translate }) => translate('timeline.notes'),
  'CHANGE PRODUCT AMOUNT': ({ data }, { translate, format }) => {
    const changes = (data.changes ?? []) as readonly { sku: string; from: number; to: number }[];
    const texts = changes.map(({ sku, from, to }) => `${sku} ${format.number(from)} → ${format.number(to)}`);
    return translate('timeline.stock', { changes: texts.join(', ') });
  },
  TRANSACTION: ({ data }, { translate, format }) => {
    const { type, value, currency, status } = data as { type: string; value: number; currency: string; status: string };
    return translate('timeline.transaction', {
      type: translate(`orders.transactionType.${type}`),
      value: format.money(value, currency),
      status: translate(`orders.transactionStatus.${status}`),
    });
  },
  'ORDER TRACKING': ({ data }, { translate }) =>
    data.value ? translate('timeline.tracking', { value: data.value }) : translate('timeline.trackingRemoved'),
  SHIPMENT: ({ data }, context) => shipmentSentence(data, context),
  RETURN: ({ data }, context) => returnSentence(data, context),
  INVOICE: ({ data }, { translate }) =>
    translate(`timeline.${data.kind === 'credit_note' ? 'creditNote' : 'invoice'}`, { number: data.number }),
  'ORDER EDITED': ({ data }, { translate }) => {
    const fields = [data.fields ?? []].flat() as string[];
    return translate('timeline.edited', { fields: fields.map((field) => fieldName(field, translate)).join(', ') });
  },
};

function statusSentence(kind: StatusKind, { data }: Event, { translate, statusName }: Context): string {
  return translate(`timeline.status.${kind}`, {
    before: statusName(kind, data.oldStatusCode, data.oldStatus),
    after: statusName(kind, data.newStatusCode, data.newStatus),
  });
}

function fieldName(field: string, translate: Translate): string {
  return translate(`timeline.field.${field}`, { _: translate(`field.${field}`, { _: field }) });
}

interface LineUnits {
  readonly item_id: number;
  readonly amount: number;
}

/** Returns `2 × T-shirt (M), 1 × Socks`. */
export function unitsText({ items }: Pick<OrderOutput, 'items'>, lines: readonly LineUnits[]): string {
  return lines
    .map(({ item_id, amount }) => {
      const item = items.find(({ id }) => id === item_id);
      return `${amount} × ${item ? lineName(item) : item_id}`;
    })
    .join(', ');
}

/** Returns the name of a line with the customer's choices: `T-shirt (M, red)`. */
export function lineName({ name, options }: OrderOutput['items'][number]): string {
  const values = options.map(({ value }) => value).filter((value) => value !== '');
  return values.length === 0 ? name : `${name} (${values.join(', ')})`;
}

/**
 * Numbers the shipments or returns of an order from 1, by their events: other orders share the store's identifiers, and a deleted
 * shipment keeps its number. Returns the identifier if the data of the events are hidden.
 */
export function numberOf({ history }: Pick<LoadedOrder, 'history'>, kind: 'shipment' | 'return', id: unknown): number {
  const code = kind === 'shipment' ? 'SHIPMENT' : 'RETURN';
  const ids = history.filter((event) => event.code === code).map(({ data }) => Number(data?.[kind]));
  return [...new Set(ids.sort((one, other) => one - other))].indexOf(Number(id)) + 1 || Number(id);
}

function shipmentSentence(data: Event['data'], { loaded, translate }: Context): string {
  const number = numberOf(loaded, 'shipment', data.shipment);
  if (data.removed) return translate('timeline.shipmentDeleted', { number });
  const shipment = loaded.shipments.find(({ id }) => id === data.shipment);
  const lines = (data.lines ?? shipment?.lines ?? []) as readonly LineUnits[];
  return translate('timeline.shipment', { number, lines: unitsText(loaded.order, lines) });
}

function returnSentence(data: Event['data'], { loaded, translate }: Context): string {
  const found = loaded.returns.find(({ id }) => id === data.return);
  return translate(`timeline.return.${data.status as OrderReturnOutput['status']}`, {
    number: numberOf(loaded, 'return', data.return),
    lines: unitsText(loaded.order, found?.lines ?? []),
  });
}
