/** Password hashes contain their parameters, so new ones may use others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '../../src/adapters/secrets/scrypt.ts';

const SECRET = 'sesame-open-now';

test('verifies a hash with its own parameters, whatever those of new hashes are', async () => {
  const usual = createSecrets();
  const quick = createSecrets({ cost: 2 ** 10, blockSize: 8, parallelization: 1 });
  const [slow, short] = [await usual.hash(SECRET), await quick.hash(SECRET)];
  assert.match(slow, /^\$scrypt\$ln=15,r=8,p=3\$/);
  assert.match(short, /^\$scrypt\$ln=10,r=8,p=1\$/);
  for (const secrets of [usual, quick])
    for (const hash of [slow, short]) {
      assert.equal(await secrets.matches(SECRET, hash), true);
      assert.equal(await secrets.matches(`${SECRET}!`, hash), false);
    }
  for (const none of [undefined, 'no hash at all']) assert.equal(await quick.matches(SECRET, none), false);
});
