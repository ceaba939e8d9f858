/** The action of mails. `store/mails/` sends them. */
import type { Draft, UnitOfWork } from '../../../engine/vocabulary.ts';

export const USES_OF_MAIL = { own: ['id', 'status', 'next_attempt', 'give_up'] } as const;

/** Attempts are made for this long. */
const MAIL_SECONDS = 72 * 3600;

/** The next attempt follows at once. */
export async function retryMail(
  { stored, values, conflicts, now }: Draft<(typeof USES_OF_MAIL.own)[number]>,
  _unit: UnitOfWork<typeof USES_OF_MAIL>,
): Promise<void> {
  if (stored!.status === 'sent')
    return void conflicts.push('This mail was already sent. Only queued and failed mails can be retried.');
  values.status = 'queued';
  values.next_attempt = now;
  values.give_up = now + MAIL_SECONDS;
}
