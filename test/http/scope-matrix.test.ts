/** Every operation of the interface needs the scopes of its family, and no others (access.md §1). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inlineOpenApiDocument } from '../../src/describe/openapi.ts';
import { databaseNames } from '../support/databases.ts';
import { type ScopedStore, scopedStore } from '../support/scoped-keys.ts';

/** Families by the segments of the contract; any other first segment is its own family. */
const FAMILY_OF: Readonly<Record<string, string>> = {
  ...{ attribute_groups: 'attributes', attributes_text: 'attributes', attributes_checkbox: 'attributes' },
  ...{ attributes_select: 'attributes', attributes_hidden: 'attributes', variants: 'products', reviews: 'products' },
};

/** Operations whose scopes the contract names, instead of those of their families. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'GET /changes': [],
  'GET /lookup': [],
  'GET /scopes': [],
  'GET /store': [],
  'GET /keys': ['keys:manage'],
  'POST /keys': ['keys:manage'],
  'GET /keys/{id}': ['keys:manage'],
  'DELETE /keys/{id}': ['keys:manage'],
  ...Object.fromEntries(
    ['GET /roles', 'POST /roles', ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /roles/{id}`)].map(
      (operation) => [operation, ['roles:manage']],
    ),
  ),
  ...Object.fromEntries(
    [
      ...['GET /users', 'POST /users', 'GET /users/{id}', 'PATCH /users/{id}', 'DELETE /users/{id}'],
      ...['POST /users/{id}/invite', 'POST /users/{id}/reset_link', 'GET /users/{id}/sessions'],
      ...['DELETE /users/{id}/sessions', 'GET /users/{id}/sessions/{session_id}'],
      'DELETE /users/{id}/sessions/{session_id}',
    ].map((operation) => [operation, ['users:manage']]),
  ),
  ...Object.fromEntries(
    [
      ...['GET /users/me', 'PATCH /users/me', 'PUT /users/me/password', 'GET /users/me/sessions'],
      ...['DELETE /users/me/sessions', 'GET /users/me/sessions/{session_id}'],
      ...['DELETE /users/me/sessions/{session_id}', 'GET /users/me/views', 'POST /users/me/views'],
      ...['GET /users/me/views/{id}', 'PATCH /users/me/views/{id}', 'DELETE /users/me/views/{id}'],
      ...['POST /users/me/totp', 'PUT /users/me/totp'],
      ...['DELETE /users/me/totp', 'GET /users/me/recovery_codes', 'POST /users/me/recovery_codes'],
      ...['GET /users/me/passkeys', 'POST /users/me/passkeys', 'POST /users/me/passkeys/options'],
      ...['GET /users/me/passkeys/{id}', 'DELETE /users/me/passkeys/{id}'],
    ].map((operation) => [operation, []]),
  ),
  'GET /statistics': ['orders:read', 'products:read', 'statistics:read'],
  'GET /urls/resolve': ['categories:read', 'products:read', 'urls:read'],
  'GET /feeds': ['attributes:read', 'categories:read', 'feeds:read', 'products:read'],
  'POST /profiles/check_password': ['profiles:check_password'],
  'GET /profiles/{profile_id}/export': ['orders:read', 'privacy:export', 'profiles:read'],
  'POST /privacy/export': ['orders:read', 'privacy:export', 'profiles:read'],
  'POST /profiles/{profile_id}/erase': ['privacy:erase'],
  'POST /privacy/erase': ['privacy:erase'],
};

/** What the calculation of an order reads. */
const CALCULATION: readonly string[] = [
  ...['products', 'attributes', 'wholesale_prices', 'categories', 'sale_discounts', 'volume_discounts', 'coupons'],
  ...['zones', 'tax_settings', 'tax_rates', 'tax_classes', 'memberships', 'profiles', 'payment_statuses'],
];

/** Families besides those of the path: what a view shows. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'GET /orders/{id}/payment_status': ['payment_statuses'],
  'PUT /orders/{id}/payment_status': ['payment_statuses'],
  'GET /orders/{id}/shipping_status': ['shipping_statuses'],
  'PUT /orders/{id}/shipping_status': ['shipping_statuses'],
  ...Object.fromEntries(
    ['GET /products/{id}/price', 'GET /products/{product_id}/variants/{id}/price'].map((operation) => [
      operation,
      [
        ...['wholesale_prices', 'categories', 'sale_discounts', 'volume_discounts', 'coupons', 'zones'],
        ...['tax_settings', 'tax_rates', 'memberships', 'profiles', 'attributes'],
      ],
    ]),
  ),
  'GET /products/{id}/price_history': ['categories', 'sale_discounts'],
  'GET /products/{product_id}/variants/{id}/price_history': ['categories', 'sale_discounts'],
  'GET /categories/{category_id}/stats': ['products'],
  'POST /orders/quote': CALCULATION,
  // The records are parts of products.
  'GET /wholesale_prices': ['products'],
  'POST /wholesale_prices/bulk': ['products'],
};

function expectedScopes(method: string, path: string, families: ReadonlySet<string>): string[] {
  const [end] = /(?<=.)\/(?:audit|restore)$/.exec(path) ?? [];
  if (end !== undefined && !path.startsWith('/audit'))
    return [...expectedScopes(method, path.slice(0, -end.length), families), 'audit:read'].sort();
  if (path.startsWith('/audit')) return ['audit:read'];
  const named = NAMED[`${method} ${path}`];
  if (named) return [...named];
  const own = path.split('/').flatMap((segment) => {
    const family = FAMILY_OF[segment] ?? segment;
    return families.has(family) ? [family] : [];
  });
  const [first, ...others] = own;
  const read = [...others, ...(SHOWN[`${method} ${path}`] ?? [])].filter((family) => family !== first);
  return [
    ...new Set([`${first}:${method === 'GET' ? 'read' : 'write'}`, ...read.map((family) => `${family}:read`)]),
  ].sort();
}

for (const name of databaseNames)
  describe(`the scopes of every operation (${name})`, () => {
    let store: ScopedStore;
    let operations: { method: string; path: string; expected: string[]; declared: string[] }[];

    before(async () => {
      store = await scopedStore(name);
      const { paths } = inlineOpenApiDocument(store.service.model, {
        ...{ baseUrl: '', programVersion: '0', specVersion: '3.1.0' },
      }) as { paths: Record<string, Record<string, { 'x-required-scopes': string[] }>> };
      const families = new Set(Object.keys(paths).map((path) => FAMILY_OF[path.split('/')[1]!] ?? path.split('/')[1]!));
      operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          expected: expectedScopes(method.toUpperCase(), path, families),
          declared: operation['x-required-scopes'].toSorted(),
        })),
      );
    });
    after(() => store.stop());

    test('are those of the contract, in the document and in the rejection of a key that has none of them', async () => {
      assert.ok(operations.length > 250);
      const key = await store.keyWith('feeds:export', 'urls:export');
      for (const { method, path, expected, declared } of operations) {
        assert.deepEqual(declared, expected, `${method} ${path}`);
        const response = await request(method, path, key);
        if (expected.length === 0) assert.notEqual(response.status, 403, `${method} ${path}`);
        else assert.deepEqual([response.status, missingIn(response)], [403, expected], `${method} ${path}`);
      }
    });

    test('are all needed: without one of them, the rejection names that one', async () => {
      for (const { method, path, expected } of operations)
        for (const missing of expected) {
          const given = expected.filter((scope) => scope !== missing);
          // Some scopes include reading their family.
          const isImplied = given.some((scope) => scope.split(':')[0] === missing.split(':')[0]) && isRead(missing);
          if (isImplied || given.length === 0) continue;
          const response = await request(method, path, await store.keyWith(...given));
          assert.deepEqual(
            [response.status, missingIn(response)],
            [403, [missing]],
            `${method} ${path} without ${missing}`,
          );
        }
    });

    test('suffice', async () => {
      for (const { method, path, expected } of operations) {
        const key = await store.keyWith(...(expected.length === 0 ? ['tags:read'] : expected));
        const response = await request(method, path, key);
        assert.notEqual(response.status, 403, `${method} ${path}: ${response.text}`);
      }
    });

    test('are granted by wildcards, but *:write includes no operation with a name of its own', async () => {
      const full = await store.keyWith('*:*');
      const written = await store.keyWith('*:read', '*:write', '*:export');
      for (const { method, path, expected } of operations) {
        assert.notEqual((await request(method, path, full)).status, 403, `${method} ${path}`);
        const named = expected.filter((scope) => !/:(?:read|write)$/.test(scope));
        const response = await request(method, path, written);
        assert.deepEqual(response.status === 403 ? missingIn(response) : [], named, `${method} ${path}`);
      }
    });

    test('do not concern existing kinds of keys', async () => {
      for (const { method, path } of operations)
        assert.notEqual((await request(method, path, undefined)).status, 403, `${method} ${path}`);
    });

    const isRead = (scope: string): boolean => scope.endsWith(':read');
    const missingIn = ({ json }: { json: { missing_scopes: string[] } }): string[] => json.missing_scopes;

    function request(method: string, path: string, key: string | undefined) {
      const url = path.replace(/\{(\w+)\}/g, (_, parameter) => (parameter === 'code' ? 'zz' : '999999'));
      const isLines = path.endsWith('/bulk');
      const headers: Record<string, string> = isLines ? { 'content-type': 'application/x-ndjson' } : {};
      const hasBody = method !== 'GET' && method !== 'DELETE';
      return store.send(method, url.replace('/keys/999999', '/keys/00000000-0000-8000-8000-000000000000'), {
        ...{ key, headers },
        ...(hasBody ? { body: isLines ? '{}\n' : {} } : {}),
      });
    }
  });
