/** The client's types have every operation. test/engine/generated.test.ts checks that they match the declarations. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { store } from '../../src/domain/index.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import { type Json, operationsOf } from '../support/openapi.ts';

const TYPES = new URL('../../src/client/types.ts', import.meta.url);
const model = createModel(store);

test('the client’s types have every operation of the API reference', () => {
  const document: Json = openApiDocument(model, { baseUrl: '', programVersion: '', specVersion: '3.1.0' });
  // The change feed has a method of its own in the client, which does not download files.
  const operations = operationsOf(document).filter(({ path }) => path !== '/changes' && !path.endsWith('/file'));
  assert.ok(operations.length > 100);
  const text = readFileSync(TYPES, 'utf8');
  for (const { path, method, operation } of operations) {
    const [, after] = text.split(`  '${path}': {\n`);
    const block = after!.slice(0, after!.indexOf('\n  };\n'));
    // A list without pages is read with one `get`.
    const { type } = operation.responses[200]?.content?.['application/json']?.schema ?? {};
    const isList = type === 'array' && operation.parameters.some(({ name }: Json) => name === 'page');
    const kind = operation.requestBody?.content['application/x-ndjson'] ? 'bulk' : method;
    assert.match(block, new RegExp(`^    ${isList ? 'list' : kind}: \\{`, 'm'), `${method} ${path}`);
  }
});
