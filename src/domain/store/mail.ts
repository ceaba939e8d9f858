/** The outbox: mails of the store (mail.md §1). */
import {
  action,
  choice,
  type Group,
  integer,
  recorded,
  reference,
  resource,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { retryMail, USES_OF_MAIL } from '../rules/store/mail.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const mail = resource({
  name: 'Mail',
  group: 'Mail',
  description: 'A mail that the store has sent or will send. Mails are deleted after 30 days.',
  unpublished: true,
  fields: {
    template: text({
      groups: OUTPUT_ONLY,
      shownExample: 'staff_invitation',
      description: 'Name of the template.',
    }),
    to: text({
      groups: OUTPUT_ONLY,
      personal: true,
      searchable: true,
      shownExample: 'ada@example.com',
      description: 'E-mail address of the recipient.',
    }),
    status: choice(['queued', 'sent', 'failed'], {
      groups: OUTPUT_ONLY,
      default: 'queued',
      description: '`failed`: every attempt within 72 hours has failed. `retry` queues the mail again.',
    }),
    attempts: integer({ groups: OUTPUT_ONLY, shownExample: 1, description: 'Number of attempts to send it.' }),
    date: timestamp({ stamped: 'created', description: 'Time at which the mail was queued.' }),
    profile: reference({ to: 'Profile', groups: [], nullable: true, onDelete: 'set null' }),
    // What the template needs, without tokens.
    data: recorded({ schema: { type: 'object' }, groups: [], default: {} }),
    message_id: text({ groups: [] }),
    next_attempt: timestamp({ groups: [] }),
    give_up: timestamp({ groups: [] }),
    // The process that sends it now, and until when no other one does, by the clock of the database.
    claim: text({ groups: [] }),
    claimed_until: timestamp({ groups: [], nullable: true }),
  },
  routes: [{ path: '/mails/{mail_id}', operations: ['list', 'read'] }],
  filters: ['template', 'to', 'status', 'date'],
  orders: ['date'],
  actions: [
    action(USES_OF_MAIL, {
      name: 'retry',
      method: 'POST',
      summary: 'Send a mail now',
      input: {},
      run: retryMail,
    }),
  ],
  foundTogether: [['status', 'next_attempt']],
  ofDataSubject: { link: 'profile', named: 'to' },
  personal: true,
});
