/** Deliveries of webhooks: each event that was tried, for 30 days, with what the receiver answered (sync.md §2). */
import {
  action,
  choice,
  type Group,
  integer,
  list,
  partOf,
  recorded,
  resource,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { retryDelivery, USES_OF_DELIVERY } from '../rules/store/webhook.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

/** Older attempts of one delivery are forgotten. */
const ATTEMPTS_MAX = 20;

export const webhookDelivery = resource({
  name: 'WebhookDelivery',
  group: 'Webhooks',
  description: 'An event that was sent to a webhook, or that it did not take. Kept for 30 days.',
  unpublished: true,
  fields: {
    webhook: partOf('Webhook'),
    message_id: text({
      groups: OUTPUT_ONLY,
      shownExample: 'test_wvOHHJlLXA0ILPZIo2LaLaSw',
      description: 'The header `webhook-id` of each attempt.',
    }),
    type: text({ groups: OUTPUT_ONLY, shownExample: 'webhook.test' }),
    path: text({
      groups: OUTPUT_ONLY,
      shownExample: '/api/webhooks/1',
      description: 'The record’s address without the host.',
    }),
    cursor: text({ groups: OUTPUT_ONLY, nullable: true, description: 'The place behind the event; null of a test.' }),
    status: choice(['waiting', 'delivered', 'failing', 'set_aside', 'replaced'], {
      groups: OUTPUT_ONLY,
      default: 'waiting',
      description:
        '`set_aside`: the receiver refused it, and it is tried again only by `retry`. `replaced`: a newer event of the record was sent instead.',
    }),
    date: timestamp({ stamped: 'created', description: 'When it was tried first.' }),
    attempts: list(
      {
        date: timestamp(),
        status: integer({ nullable: true, description: 'The HTTP status; null without an answer.' }),
        duration_ms: integer(),
        answer: text({ description: 'The beginning of the answer, or why there was none.' }),
      },
      { countMax: ATTEMPTS_MAX, groups: OUTPUT_ONLY, description: 'The last 20, oldest first.' },
    ),
    entry: recorded({ groups: [], schema: {}, default: {} }),
  },
  routes: [
    {
      path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
      operations: ['list', 'read'],
      parents: { webhook_id: 'webhook' },
      unknownParent: 'not-found',
    },
  ],
  filters: ['status', 'type', 'message_id'],
  orders: ['date'],
  uniqueTogether: ['webhook', 'message_id'],
  actions: [
    action(USES_OF_DELIVERY, {
      name: 'retry',
      method: 'POST',
      summary: 'Send one event of a webhook once more',
      input: {},
      run: retryDelivery,
    }),
  ],
});
