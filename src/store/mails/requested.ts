/** Mails that requests without a secret key cause, within the limits of mail.md §3. */
import type { Service } from '../../engine/index.ts';
import { countMails, isBelowLimits, type MailLimits } from './limits.ts';
import { type NewMail, queueMail } from './outbox.ts';

/**
 * Queues mails unless a limit is reached.
 * @param address of the client, or its group of addresses
 */
export async function requestMails(
  service: Service,
  mails: readonly NewMail[],
  address: string,
  limits: MailLimits,
): Promise<void> {
  const cause = { to: mails.map(({ to }) => to), address };
  // Read first, so that requests beyond the limits do not delay the writes of others.
  if (!(await isBelowLimits(service, cause, limits))) return;
  await service.database.transaction(async (transaction) => {
    if (!(await countMails(service, transaction, cause, limits))) return;
    for (const mail of mails) await queueMail(service, transaction, mail);
  });
}
