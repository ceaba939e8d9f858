/** Generated files match the declarations. `npm run renew` writes them; reviews read the difference. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED_FILES } from '../../renew/generated.ts';

for (const { path, make } of GENERATED_FILES)
  test(`${path} matches the declarations`, () => {
    assert.equal(
      make(),
      readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
      'the declarations have changed: run “npm run renew” and review the difference',
    );
  });
