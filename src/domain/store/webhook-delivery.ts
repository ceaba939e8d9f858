/** Webhook deliveries of the last 30 days with their attempts (sync.md §2). */
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

/** Attempts stored for one delivery. */
const ATTEMPTS_MAX = 20;

export const webhookDelivery = resource({
  name: 'WebhookDelivery',
  group: 'Webhooks',
  description: 'A delivery of an event to a webhook, with its attempts. Deliveries are deleted after 30 days.',
  unpublished: true,
  fields: {
    webhook: partOf('Webhook'),
    message_id: text({
      groups: OUTPUT_ONLY,
      shownExample: 'test_wvOHHJlLXA0ILPZIo2LaLaSw',
      description: 'Header `webhook-id` of each attempt.',
    }),
    type: text({ groups: OUTPUT_ONLY, shownExample: 'webhook.test' }),
    path: text({
      groups: OUTPUT_ONLY,
      shownExample: '/api/webhooks/1',
      description: 'Path of the record.',
    }),
    cursor: text({
      groups: OUTPUT_ONLY,
      nullable: true,
      description: 'Change feed cursor after the event; null for a test.',
    }),
    status: choice(['waiting', 'delivered', 'failing', 'set_aside', 'replaced'], {
      groups: OUTPUT_ONLY,
      default: 'waiting',
      description:
        '`set_aside`: the receiver rejected the event; only `retry` sends it again. `replaced`: a newer event of the record was sent instead.',
    }),
    date: timestamp({ stamped: 'created', description: 'Time of the first attempt.' }),
    attempts: list(
      {
        date: timestamp(),
        status: integer({ nullable: true, description: 'HTTP status; null if there was no response.' }),
        duration_ms: integer({ description: 'Duration in milliseconds.' }),
        answer: text({ description: 'Beginning of the response body, or the reason why there was no response.' }),
      },
      { countMax: ATTEMPTS_MAX, groups: OUTPUT_ONLY, description: 'The last 20 attempts, oldest first.' },
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
      summary: 'Retry a webhook delivery',
      input: {},
      run: retryDelivery,
    }),
  ],
});
