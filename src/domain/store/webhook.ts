/** Webhooks: addresses that the store tells of its changes (sync.md §2). They read the change feed from a place of their own. */
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
  replay,
  resume,
  rotateSecret,
  sendTest,
  tryAtOnce,
  USES_OF_WEBHOOK,
} from '../rules/store/webhook.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

/** `*`, or a resource in snake case with what happens to its records. */
const EVENT = /^(\*|[a-z]+(_[a-z]+)*\.(\*|created|updated|deleted))$/;

const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGvOHHJlLXA0=';

export const webhook = resource({
  name: 'Webhook',
  group: 'Webhooks',
  description: 'An address that the store tells of its changes, one at a time and in order.',
  fields: {
    url: text({
      required: true,
      lengthMax: 2048,
      form: { pattern: /^https?:\/\/\S+$/i, expected: 'an address that begins with https:// or http://' },
      description:
        'Where events are sent. On the public internet, on port 80 or 443, unless the operator of the store allows its network.',
      example: 'https://receiver.example/purveyor',
    }),
    events: texts({
      required: true,
      countMin: 1,
      countMax: 100,
      form: { pattern: EVENT, expected: 'an event such as "product.updated", "order.*" or "*"' },
      description: 'The events that are sent: `product.updated`, `order.*` for all of a kind, `*` for every one.',
      example: ['product.*', 'order.created'],
    }),
    enabled: flag({ default: true, description: 'While false nothing is sent; what changes meanwhile waits.' }),
    payload: choice(['thin', 'record'], {
      default: 'thin',
      description: '`record`: each event has the record as it is when it is sent.',
    }),
    description: text({ lengthMax: 255, description: 'For people.', example: 'Keeps the warehouse in step' }),
    secret: text({
      groups: OUTPUT_ONLY,
      nullable: true,
      once: true,
      example: EXAMPLE_SECRET,
      shownExample: null,
      description:
        'Events are signed with it. Shown only in the answers of POST and of `rotate_secret`, null elsewhere.',
    }),
    since: timestamp({
      groups: OUTPUT_ONLY,
      stamped: 'created',
      description: 'When the webhook was made, or resumed from now: later changes are sent.',
    }),
    status: choice(['ok', 'failing', 'paused'], {
      groups: OUTPUT_ONLY,
      unpublished: true,
      default: 'ok',
      description:
        '`failing`: the last attempt failed, and there will be another. `paused`: nothing is sent before `resume`.',
    }),
    reason: text({
      groups: OUTPUT_ONLY,
      unpublished: true,
      nullable: true,
      description: 'Why it is failing or paused, in a sentence.',
    }),
    failing_since: timestamp({ groups: OUTPUT_ONLY, unpublished: true, nullable: true, shownExample: null }),
    next_attempt: timestamp({
      groups: OUTPUT_ONLY,
      unpublished: true,
      nullable: true,
      description: 'When a failing one is tried again.',
      shownExample: null,
    }),
    pending: integer({
      groups: OUTPUT_ONLY,
      unpublished: true,
      description: 'Events that wait, among the next 10,000 changes.',
    }),
    old_secret: text({ groups: [], unpublished: true, nullable: true }),
    old_secret_until: timestamp({ groups: [], unpublished: true, nullable: true }),
    cursor: text({
      groups: [],
      unpublished: true,
      description: 'Behind the last event; empty: behind the change of `since`.',
    }),
    // The event that is tried now, failures one after the other but refusals, refusals of this event, and events set aside since one was taken.
    failures: recorded({ groups: [], unpublished: true, schema: {}, default: NO_FAILURES }),
    asked: recorded({
      groups: [],
      unpublished: true,
      schema: {},
      default: [],
      description: 'Deliveries to be tried once more.',
    }),
    is_gone: flag({
      groups: [],
      unpublished: true,
      description: 'Not all that changed since the cursor is told any more.',
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
      if (draft.operation === 'create') draft.values.secret = generateSecret(unit);
      else tryAtOnce(draft);
    },
    check: checkWebhook,
  }),
  actions: [
    action(USES_OF_WEBHOOK, {
      name: 'rotate_secret',
      method: 'POST',
      summary: 'Draw a new secret of a webhook',
      exampleShows: { secret: EXAMPLE_SECRET },
      input: {
        keep_old_hours: integer({
          transient: true,
          min: 0,
          max: 168,
          default: 24,
          description: 'So long events are signed with the old secret too. Left out, it is 24.',
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
      summary: 'Go on with a webhook that is paused or failing',
      input: {
        from: choice(['kept', 'now'], {
          transient: true,
          default: 'kept',
          description: '`kept`: with the event that it stopped at. `now`: what changed until now is left out.',
          example: 'kept',
        }),
      },
      run: resume,
    }),
    action(USES_OF_WEBHOOK, {
      name: 'replay',
      method: 'POST',
      summary: 'Send events again that a webhook had before',
      input: {
        after: text({
          transient: true,
          required: true,
          lengthMax: 150,
          example: '2026-01-31T09:30:00+00:00',
          description: 'A cursor of the change feed, or of a delivery, or a moment: later changes are sent again.',
        }),
      },
      run: replay,
    }),
  ],
});
