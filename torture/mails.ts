/**
 * Mails are queued through one or several servers, which are killed, while an SMTP server rejects half of them and sometimes breaks
 * the connection after it has accepted one (mail.md §1). Each mail must be delivered, with one Message-ID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageIdIn, SmtpReceiver } from '../test/support/mails.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { Client } from './client.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server } from './server.ts';

export interface MailsOptions {
  readonly mails: number;
  /** Seconds between two kills. */
  readonly killEvery: number;
  /** Uses two servers on PostgreSQL; if undefined, one server on SQLite. */
  readonly postgresUrl?: string | undefined;
}

export interface MailsResult {
  readonly kills: number;
  readonly delivered: number;
  /** Accepted more than once, with the same Message-ID. */
  readonly repeated: number;
  readonly rejected: number;
}

const CLIENTS = 4;
const USERS = 3;
const REJECTED_SHARE = 0.5;

/** More than the claims of the last killed server last. */
const SETTLING_SECONDS_MAX = 180;

export async function mails({ seed, folder, say }: Run, options: MailsOptions): Promise<MailsResult> {
  const { postgresUrl, killEvery } = options;
  const smtp = await SmtpReceiver.open();
  const random = new Random(seed, 'mails');
  let rejected = 0;
  smtp.rejects = () => {
    const isRejected = random.whole(1, 100) <= REJECTED_SHARE * 100;
    if (isRejected) rejected += 1;
    return isRejected;
  };
  const ports = await Promise.all(Array.from({ length: postgresUrl === undefined ? 1 : 2 }, freePort));
  const location = placeIn(folder, postgresUrl);
  const servers: Server[] = [];
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const start = async (index: number): Promise<void> => {
    const environment = {
      ...{ PORT: String(ports[index]), BASE_URL: 'http://store.test', MAIL_RETRY_SECONDS: '0', LOG_LEVEL: 'error' },
      ...{ MAIL_VIA: 'smtp', MAIL_FROM: 'shop@mail.test', SMTP_URL: smtp.url },
    };
    servers[index] = new Server(location, { environment });
    await servers[index].ready();
  };
  const done = new AbortController();
  try {
    for (const index of ports.keys()) await start(index);
    const killing = killRepeatedly(servers, start, { random: new Random(seed, 'kills'), killEvery, done: done.signal });
    const { acknowledged, unknown } = await queue(addresses, options.mails);
    await settled(smtp, acknowledged);
    done.abort();
    const kills = await killing;
    const stored = await sentMails(addresses[0]!);
    const ids = smtp.received.map(({ source }) => messageIdIn(source));
    const delivered = new Set(ids).size;
    if (delivered !== stored || stored < acknowledged || stored > acknowledged + unknown)
      throw new Broken(
        `${delivered} mails were delivered, ${stored} are stored; ${acknowledged} were acknowledged, ${unknown} perhaps queued.`,
      );
    const repeated = ids.length - delivered;
    say(`${kills} kills: ${delivered} mails delivered, ${repeated} of them repeated, ${rejected} rejected attempts.`);
    return { kills, delivered, repeated, rejected };
  } finally {
    done.abort();
    for (const server of servers) await server.end('SIGKILL');
    await smtp.close();
  }
}

/** @returns number of kills, once every server runs again */
async function killRepeatedly(
  servers: Server[],
  start: (index: number) => Promise<void>,
  { random, killEvery, done }: { random: Random; killEvery: number; done: AbortSignal },
): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    await sleep(killEvery * 1000, undefined, { signal: done }).catch(() => {});
    if (done.aborted) return kills;
    const index = random.whole(0, servers.length - 1);
    await servers[index]!.end('SIGKILL');
    await start(index);
  }
}

/** Requests mailed invitations. A request without a response may have queued one. */
async function queue(addresses: readonly string[], count: number): Promise<{ acknowledged: number; unknown: number }> {
  const first = new Client(addresses[0]!);
  const ids: number[] = [];
  for (let number = 0; number < USERS; number += 1) {
    const email = `staff-${number}@mail.test`;
    const { json } = await first.expect('POST', '/api/users', { email, name: email, role_ids: [1] });
    ids.push(json.id);
  }
  first.close();
  let [next, acknowledged, unknown] = [0, 0, 0];
  const run = async (index: number): Promise<void> => {
    const client = new Client(addresses[index % addresses.length]!);
    while (acknowledged < count) {
      next += 1;
      const response = await client.send('POST', `/api/users/${ids[next % USERS]}/invite`, { mail: true });
      if (response.status === 200) acknowledged += 1;
      else if ('sent' in response && !response.sent) await sleep(20);
      else unknown += 1;
    }
    client.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => run(index)));
  return { acknowledged, unknown };
}

/** Waits until most mails are delivered, while servers are killed. */
async function settled(smtp: SmtpReceiver, acknowledged: number): Promise<void> {
  const until = performance.now() + SETTLING_SECONDS_MAX * 1000;
  const delivered = (): number => new Set(smtp.received.map(({ source }) => messageIdIn(source))).size;
  while (delivered() < acknowledged) {
    if (performance.now() > until) throw new Broken(`only ${delivered()} of ${acknowledged} mails were delivered`);
    await sleep(100);
  }
}

/** Waits until every mail of the outbox is sent. @returns their number */
async function sentMails(address: string): Promise<number> {
  const client = new Client(address);
  const count = async (query: string): Promise<number> =>
    Number((await client.expect('GET', `/api/mails${query}`)).headers['x-total-count']);
  const until = performance.now() + SETTLING_SECONDS_MAX * 1000;
  while ((await count('?status=sent')) < (await count(''))) {
    if (performance.now() > until) throw new Broken(`${await count('?status=queued')} mails are still queued`);
    await sleep(100);
  }
  const sent = await count('');
  client.close();
  return sent;
}
