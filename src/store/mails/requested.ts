/** Mails that requests without a secret key cause, within the limits of mail.md §3. */
import type { Service, Transaction } from '../../engine/index.ts';
import { countMails, isBelowLimits, type MailLimits } from './limits.ts';
import { type NewMail, queueMail } from './outbox.ts';

/** Mails that one request causes. */
interface RequestedMails {
  readonly mails: readonly NewMail[];
  /** Of the client, or its group of addresses. */
  readonly address: string;
  readonly limits: MailLimits;
}

/** Queues mails unless a limit is reached. */
export async function requestMails(service: Service, requested: RequestedMails): Promise<void> {
  // Read first, so that requests beyond the limits do not delay the writes of others.
  if (!(await isBelowLimits(service, causeOf(requested), requested.limits))) return;
  await service.database.transaction((transaction) => requestMailsIn(service, transaction, requested));
}

/** Queues mails in the transaction of their cause, unless a limit is reached. */
export async function requestMailsIn(
  service: Service,
  transaction: Transaction,
  requested: RequestedMails,
): Promise<void> {
  if (!(await countMails(service, transaction, causeOf(requested), requested.limits))) return;
  for (const mail of requested.mails) await queueMail(service, transaction, mail);
}

function causeOf({ mails, address }: RequestedMails) {
  return { to: mails.map(({ to }) => to), address };
}
