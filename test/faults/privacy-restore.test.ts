/** Erased data subjects stay erased: a restore repeats erasures from the erasure log, which contains only identifiers. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { databaseNames } from '../support/databases.ts';
import { dumpTables } from '../support/dump.ts';
import { Shop } from '../support/shop.ts';

const MARKER = 'Zq7marker';
const CUT_OFF = '{"at":17';

for (const name of databaseNames)
  test(`a restore of a backup made before an erasure erases the same records again (${name})`, async () => {
    const [shop, other] = [await Shop.make(name), await Shop.make(name)];
    try {
      await shop.serve();
      const { id: product_id } = await shop.made('/api/products', { sku: 'MUG', name: 'Mug' });
      const { id } = await shop.made('/api/profiles', { login: `${MARKER}@example.com`, referer: MARKER });
      const stays = await shop.made('/api/profiles', { login: 'stays@example.com' });
      await shop.made(`/api/profiles/${id}/addresses`, { street: MARKER });
      const order = { email: `${MARKER}@example.com`, notes: MARKER, items: [{ product_id, amount: 1 }] };
      const { id: own } = await shop.made('/api/orders', { ...order, customer_id: id });
      const { id: guest } = await shop.made('/api/orders', order);
      // Only the audit still has the values of a deleted review.
      const reviews = `/api/products/${product_id}/reviews`;
      const review = { rating: 1, reviewer_name: MARKER, review: MARKER, profile: id };
      const { id: deleted } = await shop.made(reviews, review);
      assert.equal((await shop.request('DELETE', `${reviews}/${deleted}`)).status, 204);
      assert.equal((await shop.run('backup', 'backup')).code, 0);
      const first = await other.run('restore', shop.path('backup'), '--dry-run');
      assert.deepEqual([first.code, first.stderr.includes('erasure')], [0, false], first.stderr);
      const file = `${name === 'sqlite' ? shop.database.url.slice('sqlite:'.length) : shop.imagesFolder}.erasures.jsonl`;
      for (const [path, body] of [
        [`/api/profiles/${id}/erase`, {}],
        ['/api/privacy/erase', { email: order.email }],
      ] as const) {
        assert.equal((await shop.request('POST', path, { body })).status, 200);
        // An incomplete line, as after a crash; the next line must still be valid.
        appendFileSync(file, CUT_OFF);
      }
      const lines = readFileSync(file, 'utf8').split('\n');
      assert.deepEqual(
        lines.filter((line) => line !== '' && line !== CUT_OFF).map((line) => JSON.parse(line).records),
        [
          { Profile: [id], Order: [own], Review: [deleted], Mail: [], Cart: [] },
          { Order: [guest], Mail: [], Cart: [] },
        ],
      );

      assert.equal((await shop.run('backup', 'later')).code, 0);
      const later = await other.run('restore', shop.path('later'), '--dry-run');
      assert.match(later.stderr, /The erasure log was not found at \S+\.erasures\.jsonl, [^.]*--erasures/);
      const missing = await other.run('restore', shop.path('backup'), '--erasures', 'nowhere.jsonl');
      assert.equal(missing.code, 1);
      // Two servers may have logged them, one of them in both files.
      const [one, two] = [shop.path('one.jsonl'), shop.path('two.jsonl')];
      const complete = lines.filter((line) => line !== '' && line !== CUT_OFF);
      writeFileSync(one, `${complete[0]}\n${complete[1]}\n`);
      writeFileSync(two, `${complete[1]}\n`);
      const half = await other.run('restore', shop.path('backup'), '--erasures', two, '--dry-run');
      assert.match(half.stdout, /\nTo be erased again: 1 record that was/);
      const neither = await other.run('restore', shop.path('backup'), '--erasures', two, '--erasures', 'nowhere.jsonl');
      assert.deepEqual([neither.code, /nowhere\.jsonl does not exist/.test(neither.stderr)], [1, true], neither.stderr);
      const files = ['--erasures', one, '--erasures', two];
      const { code, stdout, stderr } = await other.run('restore', shop.path('backup'), ...files);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\nErased again: 4 records that were erased after the backup\.\n$/);
      assert.ok(!(await dumpTables(other.database.url)).toLowerCase().includes(MARKER.toLowerCase()));
      const check = await other.run('check');
      assert.equal(check.code, 0, check.stdout);
      await other.serve();
      assert.equal((await other.request('GET', `/api/profiles/${id}`)).status, 404);
      assert.deepEqual((await other.request('GET', '/api/profiles')).json, [stays]);
      for (const erased of [own, guest]) {
        const { json } = await other.request('GET', `/api/orders/${erased}`);
        assert.deepEqual(
          [json.email, json.notes, json.customer_id, json.items.length],
          ['erased@customer.invalid', '', null, 1],
        );
      }
    } finally {
      await Promise.all([shop.remove(), other.remove()]);
    }
  });
