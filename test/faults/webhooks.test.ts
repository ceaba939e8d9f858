/**
 * Eight writers, servers killed meanwhile, receivers that fail at times: what is committed is delivered, in order, and nothing else
 * (`npm run torture -- webhooks` is the long run). Then what a webhook does whose place in the feed is not told any more.
 */
import assert from 'node:assert/strict';
import { webhooks } from '../../torture/webhooks.ts';
import { freshDatabase } from '../support/databases.ts';
import { torture } from '../support/torture.ts';

torture('webhooks of a server that is killed are sent what is committed, in order (SQLite)', async (run) => {
  const { kills, events, failed } = await webhooks(run, { operations: 300, killEvery: 100 });
  assert.ok(kills > 0 && events > 100 && failed > 0, `${kills} kills, ${events} events, ${failed} failed`);
});

torture('so are those of two servers on one PostgreSQL', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  const { kills, events } = await webhooks(run, { operations: 300, killEvery: 150, postgresUrl: url });
  await remove();
  assert.ok(kills > 0 && events > 100, `${kills} kills, ${events} events`);
});
