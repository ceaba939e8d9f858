/**
 * The cost of a change matches ARCHITECTURE.md: a field is one line, a resource one declaration, on both databases.
 * `test/cli/renew.test.ts` tests the command.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { language } from '../../src/domain/store/language.ts';
import { choice } from '../../src/engine/fields/choice.ts';
import { flag } from '../../src/engine/fields/flag.ts';
import { link, links } from '../../src/engine/fields/link.ts';
import { decimal, integer } from '../../src/engine/fields/number.ts';
import { text } from '../../src/engine/fields/text.ts';
import { timestamp } from '../../src/engine/fields/timestamp.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import { difference, replay } from '../../src/engine/model/migrations.ts';
import { schemaOf } from '../../src/engine/model/tables.ts';
import { resource } from '../../src/engine/resource.ts';
import { missingSteps, readMigrations, storeModel } from '../../src/wiring/open.ts';
import { freshDatabases } from '../support/databases.ts';
import { type Fixture, serveDeclarations } from '../support/fixture.ts';

const ALL = ['list', 'create', 'read', 'replace', 'patch', 'remove'] as const;

const author = resource({
  name: 'Author',
  group: 'Store',
  description: 'A writer.',
  identifier: { kind: 'uuid' },
  fields: { name: text({ required: true, notBlank: true, translated: true, unique: true, searchable: true }) },
  routes: [{ path: '/authors/{id}', operations: ALL }],
});

/** The resource before the change. */
const bookFields = {
  title: text({ required: true, lengthMax: 20, searchable: true }),
  pages: integer({ min: 1, default: 1 }),
};

const bookOf = (fields: Parameters<typeof resource>[0]['fields']) =>
  resource({
    name: 'Book',
    group: 'Store',
    description: 'A book.',
    fields,
    routes: [{ path: '/books/{id}', operations: ALL }],
    filters: ['title', { field: 'pages', values: [1, 100] }],
    orders: ['title', 'pages'],
  });

const sign = resource({
  name: 'Sign',
  group: 'Store',
  description: 'Cannot be changed.',
  identifier: { kind: 'manual', field: 'code', pattern: /^[A-Z]{3}$/ },
  fields: {
    code: text({
      required: true,
      groups: ['all', 'read', 'insert'],
      form: { pattern: /^[A-Z]{3}$/, expected: 'three capitals' },
    }),
  },
  routes: [{ path: '/signs/{code}', operations: ['read', 'list', 'create'] }],
});

const note = resource({
  name: 'Note',
  group: 'Store',
  description: 'One path shows some of its fields, another all.',
  fields: { text: text(), secret: text({ groups: ['all', 'insert'] }) },
  routes: [
    { path: '/notes/{id}', operations: ALL },
    { path: '/whole_notes/{id}', operations: ['read', 'patch'], groups: { read: 'all', update: 'all' } },
  ],
});

describe('a field added by one line', () => {
  const earlier = createModel([language, bookOf(bookFields)]);
  const later = createModel([language, bookOf({ ...bookFields, price: decimal({ min: 0 }) })]);

  test('has a generated migration of one step', () => {
    assert.deepEqual(difference(schemaOf(earlier), schemaOf(later)), [
      { step: 'add column', table: 'book', column: { name: 'price', type: 'decimal', nullable: false, default: 0 } },
    ]);
  });

  test('is in the reference', () => {
    const document = openApiDocument(later, { baseUrl: 'http://x', programVersion: '1', specVersion: '3.1.0' });
    assert.ok(JSON.stringify(document).includes('"price"'));
  });
});

test('the migrations produce the declared schema', () => {
  assert.deepEqual(missingSteps(storeModel(), readMigrations()), []);
});

test('replaying the steps of a difference produces its target schema', () => {
  const schema = schemaOf(storeModel());
  const steps = difference(replay([]), schema);
  assert.deepEqual(difference(replay([{ name: '0001', steps }]), schema), []);
});

for (const fresh of await freshDatabases())
  describe(`a resource added by one declaration (${fresh.name})`, () => {
    let fixture: Fixture;
    before(async () => {
      const fields = {
        ...bookFields,
        price: decimal({ min: 0 }),
        author: link({ to: 'Author', onDelete: 'set null' }),
        coauthors: links({ to: 'Author', shown: 'records' }),
        genre: choice(['novel', 'poems'], { default: 'novel' }),
        out_of_print: flag(),
        printed: timestamp({ nullable: true }),
      };
      fixture = await serveDeclarations([author, bookOf(fields), sign, note], await fresh.open());
    });
    after(async () => {
      await fixture.stop();
      await fresh.remove();
    });

    test('is created, read, listed, replaced, patched and deleted', async () => {
      const made = await fixture.request('POST', '/api/books', { title: 'Emma', price: 9.99, printed: '1815-12-23' });
      assert.equal(made.status, 201);
      assert.deepEqual(made.json, {
        id: 1,
        title: 'Emma',
        pages: 1,
        price: 9.99,
        author: null,
        coauthors: [],
        genre: 'novel',
        out_of_print: false,
        printed: '1815-12-23T00:00:00+00:00',
      });
      assert.deepEqual((await fixture.request('GET', '/api/books')).json, [made.json]);
      assert.equal((await fixture.request('PUT', '/api/books/1', { title: 'Emma', pages: 400 })).json.price, 0);
      assert.equal((await fixture.request('PATCH', '/api/books/1', { genre: 'poems' })).json.pages, 400);
      assert.equal((await fixture.request('DELETE', '/api/books/1')).status, 204);
      assert.equal((await fixture.request('GET', '/api/books/1')).status, 404);
    });

    test('is identified by a case-insensitive uuid and linked by name', async () => {
      const { json: austen } = await fixture.request('POST', '/api/authors', { name: 'Austen' });
      assert.match(austen.id, /^[0-9a-f-]{36}$/);
      assert.equal((await fixture.request('GET', `/api/authors/${austen.id.toUpperCase()}`)).json.id, austen.id);
      assert.equal((await fixture.request('GET', '/api/authors/12')).status, 404);
      const { json: book } = await fixture.request('POST', '/api/books', {
        title: 'Emma',
        author: 'austen',
        coauthors: ['Austen'],
      });
      assert.deepEqual(book.author, austen);
      assert.deepEqual(book.coauthors, [austen]);
    });

    test('rejects a filter by a value that is not declared', async () => {
      assert.equal((await fixture.request('GET', '/api/books?pages=100')).status, 200);
      const refused = await fixture.request('GET', '/api/books?pages=7');
      assert.equal(refused.status, 400);
      assert.match(refused.json.detail, /1, 100/);
    });

    test('accepts and shows the fields of the groups of its route', async () => {
      const made = await fixture.request('POST', '/api/notes', { text: 'a', secret: 's' });
      assert.deepEqual(made.json, { id: 1, text: 'a' });
      assert.deepEqual((await fixture.request('GET', '/api/whole_notes/1')).json, { id: 1, text: 'a', secret: 's' });
      assert.equal((await fixture.request('PATCH', '/api/notes/1', { secret: 't' })).status, 422);
      assert.equal((await fixture.request('PATCH', '/api/whole_notes/1', { secret: 't' })).json.secret, 't');
    });

    test('rejects operations that are not declared', async () => {
      assert.equal((await fixture.request('POST', '/api/signs', { code: 'ABC' })).status, 201);
      assert.equal((await fixture.request('GET', '/api/signs/ABC')).json.code, 'ABC');
      assert.equal((await fixture.request('GET', '/api/signs/abc')).status, 404);
      const refused = await fixture.request('PUT', '/api/signs/ABC', { code: 'ABC' });
      assert.equal(refused.status, 405);
      assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
    });
  });
