/** Webhooks (sync.md §2). Each reads the change feed with its own cursor. */
import {
  action,
  choice,
  flag,
  type Group,
  integer,
  recorded,
  resource,
  rules,
  text,
  texts,
  timestamp,
} from '../../engine/vocabulary.ts';
import {
  checkWebhook,
  generateSecret,
  NO_FAILURES,
  ownChanged,
  replay,
  resume,
  retryNewUrl,
  rotateSecret,
  sendTest,
  USES_OF_WEBHOOK,
} from '../rules/store/webhook.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

/** `*`, or a resource in snake case followed by an action. */
const EVENT = /^(\*|[a-z]+(_[a-z]+)*\.(\*|created|updated|deleted))$/;

const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGvOHHJlLXA0=';

const OWNER = {
  type: 'object',
  properties: {
    type: { member: undefined, schema: { type: 'string', enum: ['key', 'user'] } },
    id: { member: undefined, schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    name: { member: undefined, schema: { type: 'string' } },
  },
  required: ['type', 'id', 'name'],
};

export const webhook = resource({
  name: 'Webhook',
  follows: {
    events: ['events', 'former_events'],
    shows: ['status', 'reason', 'failing_since', 'next_attempt', 'pending'],
  },
  group: 'Webhooks',
  description: 'A URL to which the store sends its changes, one at a time and in order.',
  fields: {
    url: text({
      required: true,
      lengthMax: 2048,
      form: { pattern: /^https?:\/\/\S+$/i, expected: 'an address that begins with https:// or http://' },
      description:
        'URL that receives the events. It must be on the public internet and use port 80 or 443, unless the operator of the store allows other networks.',
      example: 'https://receiver.example/purveyor',
    }),
    events: texts({
      required: true,
      countMin: 1,
      countMax: 100,
      form: { pattern: EVENT, expected: 'an event such as "product.updated", "order.*" or "*"' },
      description:
        'Events to send, such as `product.updated`; `order.*` for all events of a resource, `*` for all events.',
      example: ['product.*', 'order.created'],
    }),
    enabled: flag({
      default: true,
      description: 'Whether events are sent. Events of a disabled webhook are sent once it is enabled again.',
    }),
    payload: choice(['thin', 'record'], {
      default: 'thin',
      description:
        '`record`: each event includes the record as it is at the time of sending. `thin`: without the record.',
    }),
    description: text({ lengthMax: 255, description: 'Note about the webhook’s purpose.', example: 'Warehouse sync' }),
    secret: text({
      groups: OUTPUT_ONLY,
      nullable: true,
      once: true,
      example: EXAMPLE_SECRET,
      shownExample: null,
      description:
        'Secret that signs the events. Shown only in the responses of POST and `rotate_secret`; null in all others.',
    }),
    since: timestamp({
      groups: OUTPUT_ONLY,
      stamped: 'created',
      description: 'Time from which changes are sent: that of the creation, or of the last resume from `now`.',
    }),
    status: choice(['ok', 'failing', 'paused'], {
      groups: OUTPUT_ONLY,
      unpublished: true,
      default: 'ok',
      description:
        '`failing`: the last attempt failed and will be repeated. `paused`: sending is stopped until `resume`.',
    }),
    reason: text({
      groups: OUTPUT_ONLY,
      unpublished: true,
      nullable: true,
      description: 'Reason why the webhook is failing or paused.',
    }),
    failing_since: timestamp({
      groups: OUTPUT_ONLY,
      unpublished: true,
      nullable: true,
      description: 'Time of the first failed attempt since the last success.',
      shownExample: null,
    }),
    next_attempt: timestamp({
      groups: OUTPUT_ONLY,
      unpublished: true,
      nullable: true,
      description: 'Time of the next attempt of a failing webhook.',
      shownExample: null,
    }),
    pending: integer({
      groups: OUTPUT_ONLY,
      unpublished: true,
      description: 'Number of pending events among the next 10,000 changes.',
    }),
    former_events: recorded({
      groups: OUTPUT_ONLY,
      schema: { type: 'array', items: { type: 'string' } },
      default: [],
      shownExample: [],
      description:
        'Events that `events` had earlier. A caller that cannot read the records of all current and former events sees no `status`, `reason`, `failing_since`, `next_attempt` and `pending`, and no deliveries.',
    }),
    owner: recorded({
      groups: OUTPUT_ONLY,
      nullable: true,
      schema: OWNER,
      default: null,
      shownExample: { type: 'key', id: 'c7cfcf03-5e5a-8385-9d93-e3ab5938ca55', name: 'read/write' },
      description:
        'API key or user whose rights decide which events are sent: the one that created the webhook, or that last changed `url`, `events` or `payload`, rotated the secret, resumed or replayed. null: all events.',
    }),
    // Another key can have the name of the owner later, and so its id.
    owner_created: timestamp({ groups: [], unpublished: true, nullable: true }),
    old_secret: text({ groups: [], unpublished: true, nullable: true }),
    old_secret_until: timestamp({ groups: [], unpublished: true, nullable: true }),
    cursor: text({
      groups: [],
      unpublished: true,
      description: 'Change feed cursor after the last event; empty: starts at `since`.',
    }),
    // Current event, its consecutive failures other than rejections, its rejections, and events set aside since the last success.
    failures: recorded({ groups: [], unpublished: true, schema: {}, default: NO_FAILURES }),
    asked: recorded({
      groups: [],
      unpublished: true,
      schema: {},
      default: [],
      description: 'Deliveries to retry.',
    }),
    is_gone: flag({
      groups: [],
      unpublished: true,
      description: 'Whether the journal no longer has all changes after the cursor.',
    }),
  },
  routes: [
    {
      path: '/webhooks/{webhook_id}',
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  filters: ['enabled', 'status'],
  serialized: true,
  rules: rules(USES_OF_WEBHOOK, {
    derive(draft, unit) {
      ownChanged(draft);
      if (draft.operation === 'create') draft.values.secret = generateSecret(unit);
      else retryNewUrl(draft);
    },
    check: checkWebhook,
  }),
  actions: [
    action(USES_OF_WEBHOOK, {
      name: 'rotate_secret',
      method: 'POST',
      summary: 'Rotate the secret of a webhook',
      exampleShows: { secret: EXAMPLE_SECRET },
      input: {
        keep_old_hours: integer({
          transient: true,
          min: 0,
          max: 168,
          default: 24,
          description: 'Number of hours for which events are also signed with the old secret; 24 if omitted.',
          example: 24,
        }),
      },
      run: rotateSecret,
    }),
    action(USES_OF_WEBHOOK, {
      name: 'test',
      method: 'POST',
      summary: 'Send a test event to a webhook',
      input: {},
      run: sendTest,
    }),
    action(USES_OF_WEBHOOK, {
      name: 'resume',
      method: 'POST',
      summary: 'Resume a paused or failing webhook',
      input: {
        from: choice(['kept', 'now'], {
          transient: true,
          default: 'kept',
          description: '`kept`: continue with the event at which it stopped. `now`: skip all changes up to now.',
          example: 'kept',
        }),
      },
      run: resume,
    }),
    action(USES_OF_WEBHOOK, {
      name: 'replay',
      method: 'POST',
      summary: 'Replay past events to a webhook',
      input: {
        after: text({
          transient: true,
          required: true,
          lengthMax: 150,
          example: '2026-01-31T09:30:00+00:00',
          description: 'Cursor of the change feed or of a delivery, or a date-time. Later changes are sent again.',
        }),
      },
      run: replay,
    }),
  ],
});
