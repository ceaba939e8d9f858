/** Tokens in mails to customers (storefront.md §3). `store/shoppers/` creates and uses them. */
import { reference, resource, text, timestamp } from '../../engine/vocabulary.ts';

export const oneTimeToken = resource({
  name: 'OneTimeToken',
  description: 'A token in a mail to a customer. It works once. The mail contains what it is for.',
  fields: {
    // A token ends with its mail.
    mail: reference({ to: 'Mail', groups: [], onDelete: 'cascade' }),
    // SHA-256 in hexadecimal digits.
    hash: text({ groups: [], unique: true }),
    // `verify`, `reset` or `login_change`.
    purpose: text({ groups: [] }),
    expires: timestamp({ groups: [] }),
  },
  routes: [],
  unpublished: true,
  fewPerRecord: true,
});
