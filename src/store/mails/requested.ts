/** Mails that requests without a secret key cause, within the limits of mail.md §3. */
import type { Service } from '../../engine/index.ts';
import { countMails, isBelowLimits, type MailCause, type MailLimits } from './limits.ts';
import { type NewMail, queueMail } from './outbox.ts';

/**
 * Queues mails unless a limit is reached.
 * @param compose is called only below the limits. It must do the same work for every address.
 */
export async function requestMails(
  service: Service,
  cause: MailCause,
  limits: MailLimits,
  compose: () => readonly NewMail[] | Promise<readonly NewMail[]>,
): Promise<void> {
  // Read first, so that requests beyond the limits do not delay the writes of others.
  if (!(await isBelowLimits(service, cause, limits))) return;
  const mails = await compose();
  await service.database.transaction(async (transaction) => {
    if (!(await countMails(service, transaction, cause, limits))) return;
    for (const mail of mails) await queueMail(service, transaction, mail);
  });
}
