/** The files that are made of the declarations say what these say. A difference is read in review; `npm run renew` writes them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED_FILES } from '../../renew/generated.ts';

for (const { path, make } of GENERATED_FILES)
  test(`${path} is what the declarations say`, () => {
    assert.equal(
      make(),
      readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
      'the declarations have changed: run “npm run renew” and review the difference',
    );
  });
