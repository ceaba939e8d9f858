/**
 * The loop that sends the mails of the outbox (mail.md §1). Every process of the store runs it. A mail is sent at least once: if a
 * process ends between the acceptance of a mail and the commit that records it, the mail is sent again with the same Message-ID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../engine/index.ts';
import { contentOf, type MailSettings } from './content.ts';
import { type ClaimedMail, claimMails, deleteMail, recordAttempt } from './outbox-rows.ts';
import type { MailTransport } from './transport.ts';

const POLL_MS = 1000;
const FAILED_MS = 2000;
const AT_ONCE_MAX = 5;

/** Time limit of an attempt. A claim lasts longer. */
const ATTEMPT_MS_MAX = 30_000;

/** Time that running attempts get to finish when the process stops. */
const STOPPING_MS = 5000;

/** Share of a wait by which it is prolonged at random, so that mails that failed together are not all sent at once again. */
const JITTER = 0.2;

interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

interface Options extends MailSettings {
  readonly isOnlyProcess: boolean;
  /** Seconds before the second attempt, the third, and so on. The last one applies to all further attempts. */
  readonly waits: readonly number[];
}

/** @returns function that stops the delivery; running attempts get some time to finish */
export function startMailDelivery(
  service: Service,
  transport: MailTransport,
  log: Log,
  options: Options,
): () => Promise<void> {
  const [stopping, stopped] = [new AbortController(), new AbortController()];
  const delivery = new MailDelivery({ service, transport, log, options, stopped: stopped.signal });
  const running = delivery.run(stopping.signal);
  return async () => {
    stopping.abort();
    const giveUp = setTimeout(() => stopped.abort(), STOPPING_MS);
    await running;
    clearTimeout(giveUp);
    await transport.close();
  };
}

interface Context {
  readonly service: Service;
  readonly transport: MailTransport;
  readonly log: Log;
  readonly options: Options;
  readonly stopped: AbortSignal;
}

class MailDelivery {
  readonly #context: Context;
  readonly #claim: string;
  readonly #running = new Set<Promise<void>>();

  constructor(context: Context) {
    this.#context = context;
    this.#claim = context.service.uuid();
  }

  /** Resolves when no attempt is running any more. */
  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted)
      try {
        await this.#poll(stopping);
      } catch (error) {
        this.#context.log.warn({ err: error }, 'cannot read the outbox; retrying');
        await pause(FAILED_MS, stopping);
      }
    await Promise.all(this.#running);
  }

  async #poll(stopping: AbortSignal): Promise<void> {
    const { service, transport, options } = this.#context;
    const claimer = { claim: this.#claim, isOnlyProcess: options.isOnlyProcess, domain: transport.domain };
    const count = AT_ONCE_MAX - this.#running.size;
    const claimed = await claimMails(service, claimer, count);
    for (const mail of claimed) this.#start(mail);
    if (this.#running.size === AT_ONCE_MAX) await Promise.race(this.#running);
    else if (claimed.length === 0) await pause(POLL_MS, stopping);
  }

  #start(mail: ClaimedMail): void {
    const attempt = this.#attempt(mail)
      // The claim remains, so the mail is sent again when it has ended.
      .catch((error: unknown) =>
        this.#context.log.warn({ mail: mail.id, err: error }, 'mail delivery failed; retrying'),
      )
      .finally(() => this.#running.delete(attempt));
    this.#running.add(attempt);
  }

  async #attempt(mail: ClaimedMail): Promise<void> {
    const { service, log, options } = this.#context;
    const { id } = mail;
    const sent = await this.#send(mail).catch((error: unknown) => {
      log.warn({ mail: id, err: error }, 'a mail cannot be composed');
      return { template: mail.template, failure: 'not composed' };
    });
    if (!sent) return deleteMail(service, id);
    const { template, failure } = sent;
    const now = service.clock.now();
    if (failure === undefined)
      return recordAttempt(service, id, this.#claim, { status: 'sent', template, nextAttempt: now });
    const isLast = now >= mail.giveUp;
    const attempts = mail.attempts + 1;
    const details = { mail: id, template, attempts, reason: failure };
    log.warn(details, isLast ? 'mail was not accepted; giving up' : 'mail was not accepted; retrying');
    const nextAttempt = Math.min(now + waitAfter(attempts, options.waits), Math.max(now, mail.giveUp));
    await recordAttempt(service, id, this.#claim, { status: isLast ? 'failed' : 'queued', template, nextAttempt });
  }

  /** @returns undefined if the mail is no longer needed */
  async #send(mail: ClaimedMail): Promise<Sent | undefined> {
    const { service, transport, options, stopped } = this.#context;
    const { messageId, date } = mail;
    // Before the content, which may wait for a lock: an attempt must end before its claim.
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS_MAX), stopped]);
    const content = await contentOf(service, mail, options);
    if (!content) return undefined;
    const { template } = content;
    if (signal.aborted) return { template, failure: 'timeout' };
    return { template, failure: (await transport.send({ messageId, date, ...content }, signal))?.failure };
  }
}

/** What became of an attempt. */
interface Sent {
  readonly template: string;
  /** Why the mail was not accepted. */
  readonly failure: string | undefined;
}

function waitAfter(attempts: number, waits: readonly number[]): number {
  const wait = waits[attempts - 1] ?? waits.at(-1)!;
  return Math.round(wait * (1 + JITTER * Math.random()));
}

async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping }).catch(() => {});
}
