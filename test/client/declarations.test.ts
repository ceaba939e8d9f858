/** The client's types are those of the declarations. A difference is read in review; `UPDATE_SNAPSHOTS=1` renews them. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { store } from '../../src/domain/index.ts';
import { clientTypes } from '../../src/engine/client-types.ts';
import { createModel } from '../../src/engine/create-model.ts';
import { openApiDocument } from '../../src/engine/openapi.ts';
import { type Json, operationsOf } from '../support/openapi.ts';

const TYPES = new URL('../../src/client/types.ts', import.meta.url);
const model = createModel(store);

test('src/client/types.ts is what the declarations say', () => {
  const written = clientTypes(model);
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(TYPES, written);
  assert.equal(
    written,
    readFileSync(TYPES, 'utf8'),
    'the declarations have changed: run “npm run client-types” and review the difference',
  );
});

test('every operation of the reference is in the types', () => {
  const document: Json = openApiDocument(model, { baseUrl: '', programVersion: '', specVersion: '3.1.0' });
  const operations = operationsOf(document);
  assert.ok(operations.length > 100);
  const text = readFileSync(TYPES, 'utf8');
  for (const { path, method, operation } of operations) {
    const [, after] = text.split(`  '${path}': {\n`);
    const block = after!.slice(0, after!.indexOf('\n  };\n'));
    const isList = method === 'get' && operation.responses[200].content['application/json'].schema.type === 'array';
    assert.match(block, new RegExp(`^    ${isList ? 'list' : method}: \\{`, 'm'), `${method} ${path}`);
  }
});
