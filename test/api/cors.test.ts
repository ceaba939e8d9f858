/** Cross-origin requests of browser scripts (http.md §10, CORS). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestOptions } from '../support/client.ts';
import { onOneDatabase } from '../support/store.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ALLOWED = [
  ...['Authorization', 'X-Auth-Token', 'Content-Type', 'Accept', 'Accept-Language', 'If-Match', 'If-None-Match'],
  ...['Idempotency-Key', 'Last-Event-ID', 'Prefer', 'X-Request-Id', 'traceparent', 'tracestate'],
];
const EXPOSED = [
  ...[
    'Link',
    'ETag',
    'Location',
    'Allow',
    'Accept-Patch',
    'X-Total-Count',
    'X-Total-Count-Relation',
    'Content-Language',
    'Retry-After',
    'RateLimit',
  ],
  ...['RateLimit-Policy', 'WWW-Authenticate', 'Preference-Applied', 'Idempotency-Replayed', 'Changes-Cursor'],
  ...['X-Request-Id', 'traceresponse', 'Server-Timing'],
];

onOneDatabase('CORS', {}, (store) => {
  const preflights = [
    '/api',
    '/api/products',
    '/api/products/1',
    '/api/products/x',
    '/api/products?x=1',
    '/api/nothing',
    '/api/a/b/c',
  ];
  for (const path of preflights)
    for (const key of [null, 'wrong-key-of-the-tests'])
      test(`preflight of ${path} with ${key === null ? 'no' : 'a wrong'} key returns 204`, async () => {
        const headers = {
          origin: 'https://shop.example',
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'x-auth-token, content-type',
        };
        const response = await store.request('OPTIONS', path, { key, headers });
        assert.deepEqual([response.status, response.text], [204, '']);
        assert.equal(response.headers['access-control-allow-origin'], '*');
        assert.deepEqual(listed(response.headers['access-control-allow-methods']), sorted(METHODS));
        assert.deepEqual(listed(response.headers['access-control-allow-headers']), sorted(ALLOWED));
        assert.equal(response.headers['access-control-max-age'], '3600');
        assert.equal(response.headers['access-control-allow-credentials'], undefined);
      });

  const responses: [status: number, method: string, path: string, options?: RequestOptions][] = [
    [200, 'GET', '/api/products'],
    [201, 'POST', '/api/tags', { body: { name: 'One' } }],
    [200, 'PATCH', '/api/tags/1', { body: {} }],
    [304, 'GET', '/api/tags', { headers: { 'if-none-match': '*' } }],
    [400, 'GET', '/api/products?x=1'],
    [401, 'GET', '/api/products', { key: null }],
    [404, 'GET', '/api/nothing'],
    [404, 'GET', '/api/%zz'],
    [405, 'DELETE', '/api/products'],
    [406, 'GET', '/api/products', { headers: { accept: 'text/csv' } }],
    [412, 'DELETE', '/api/tags/1', { headers: { 'if-match': '"9-x"' } }],
    [415, 'POST', '/api/tags', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    [417, 'POST', '/api/tags', { body: '{}', headers: { expect: 'miracles' } }],
    [422, 'POST', '/api/tags', { body: {} }],
    [431, 'GET', '/api/tags', { headers: { 'x-long': 'x'.repeat(9000) } }],
    [204, 'DELETE', '/api/tags/1'],
  ];
  for (const [status, method, path, options] of responses)
    test(`allows scripts to read a ${status} with its headers`, async () => {
      const headers = { origin: 'https://shop.example', ...options?.headers };
      const response = await store.request(method, path, { ...options, headers });
      assert.equal(response.status, status, response.text);
      assert.equal(response.headers['access-control-allow-origin'], '*');
      assert.deepEqual(listed(response.headers['access-control-expose-headers']), sorted(EXPOSED));
    });
});

function listed(header: string | undefined): string[] {
  return sorted((header ?? '').split(','));
}

function sorted(names: readonly string[]): string[] {
  return names.map((name) => name.trim().toLowerCase()).sort();
}
