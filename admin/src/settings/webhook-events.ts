/** The events that a webhook can be chosen for (sync.md §2), by the records that shops watch. */
import { useTranslate } from 'react-admin';

interface EventGroup {
  /** The resource in snake case, as events name it. */
  readonly resource: string;
  readonly actions: readonly string[];
}

const ALL_ACTIONS = ['created', 'updated', 'deleted'] as const;

export const EVENT_GROUPS: readonly EventGroup[] = [
  { resource: 'order', actions: ['created', 'updated'] },
  { resource: 'transaction', actions: ['created', 'updated'] },
  { resource: 'order_shipment', actions: ALL_ACTIONS },
  { resource: 'order_return', actions: ['created', 'updated'] },
  { resource: 'order_invoice', actions: ['created'] },
  { resource: 'product', actions: ALL_ACTIONS },
  { resource: 'variant', actions: ALL_ACTIONS },
  { resource: 'category', actions: ALL_ACTIONS },
  { resource: 'profile', actions: ALL_ACTIONS },
];

/** Returns a function that names an event such as `order.created`, `order.*` or `*`; others are shown as they are. */
export function useEventName(): (event: string) => string {
  const translate = useTranslate();
  return (event) => {
    if (event === '*') return translate('webhooks.all');
    const [resource, action] = event.split('.');
    const group = EVENT_GROUPS.find((one) => one.resource === resource);
    if (!group) return event;
    if (action === '*') return translate(`webhooks.group.${resource}`);
    const record = translate(`webhooks.record.${resource}`);
    return translate('webhooks.event', { record, action: translate(`webhooks.action.${action}`, { _: action }) });
  };
}
