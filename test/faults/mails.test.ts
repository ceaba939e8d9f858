/** Mails and killed servers (`npm run torture -- mails` is the long run). */
import assert from 'node:assert/strict';
import { mails } from '../../torture/mails.ts';
import { freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('each mail is delivered despite kills and a failing SMTP server (one server on SQLite)', async (run) => {
  const { kills, delivered, rejected } = await mails(run, { mails: 200, killEvery: 2 });
  assert.ok(kills > 1 && delivered >= 200 && rejected > 50, `${kills} kills, ${delivered} mails, ${rejected} rejected`);
});

stressTest('each mail is delivered despite kills (two servers on PostgreSQL)', async (run) => {
  const { url, remove } = await freshDatabase('postgres');
  const { kills, delivered } = await mails(run, { mails: 200, killEvery: 2, postgresUrl: url });
  await remove();
  assert.ok(kills > 1 && delivered >= 200, `${kills} kills, ${delivered} mails`);
});
