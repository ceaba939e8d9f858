/** Limits of mails that requests without a key cause, counted for all servers of the store (mail.md §3). */
import { looseMatch, type Service, type Transaction } from '../../engine/index.ts';
import { type Counted, count, isBelow } from '../shoppers/counted.ts';

/** Mails in an hour; 0: no limit. */
export interface MailLimits {
  /** To one e-mail address. */
  readonly to: number;
  /** Caused by one client address. */
  readonly from: number;
}

/** Who gets mails, and who causes them. */
interface MailCause {
  /** E-mail addresses, one for each mail. */
  readonly to: readonly string[];
  /** Address of the client, or its group of addresses. */
  readonly address: string;
}

/** Whether mails are below the limits now. Needs no lock. Only `countMails` decides whether they may be sent. */
export async function isBelowLimits(service: Service, cause: MailCause, limits: MailLimits): Promise<boolean> {
  return isBelow(service, (...query) => service.database.query(...query), subjectsOf(cause, limits));
}

/**
 * Counts mails unless one of them would exceed a limit.
 * @returns whether they may be sent
 */
export async function countMails(
  service: Service,
  transaction: Transaction,
  cause: MailCause,
  limits: MailLimits,
): Promise<boolean> {
  return (await count(service, transaction, subjectsOf(cause, limits))) === undefined;
}

function subjectsOf({ to, address }: MailCause, limits: MailLimits): Counted[] {
  return to.flatMap((each) => [
    { subject: `mail to ${looseMatch(each)}`, max: limits.to },
    { subject: `mail from ${address}`, max: limits.from },
  ]);
}
