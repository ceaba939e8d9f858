/** The cost of a change is as ARCHITECTURE.md promises: a field is one line, a resource one declaration. Shown on both databases. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { language } from '../../src/domain/language.ts';
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
  description: 'Who writes.',
  identifier: { kind: 'uuid' },
  fields: { name: text({ required: true, notBlank: true, translated: true, unique: true, searchable: true }) },
  places: [{ path: '/authors/{id}', operations: ALL }],
});

/** The resource as it was. */
const bookFields = {
  title: text({ required: true, lengthMax: 20, searchable: true }),
  pages: integer({ min: 1, default: 1 }),
};

const bookOf = (fields: Parameters<typeof resource>[0]['fields']) =>
  resource({
    name: 'Book',
    group: 'Store',
    description: 'What is read.',
    fields,
    places: [{ path: '/books/{id}', operations: ALL }],
    filters: ['title', { field: 'pages', values: [1, 100] }],
    orders: ['title', 'pages'],
  });

const sign = resource({
  name: 'Sign',
  group: 'Store',
  description: 'Can be read and nothing else.',
  identifier: { kind: 'manual', field: 'code', pattern: /^[A-Z]{3}$/ },
  fields: {
    code: text({
      required: true,
      groups: ['all', 'read', 'insert'],
      form: { pattern: /^[A-Z]{3}$/, expected: 'three capitals' },
    }),
  },
  places: [{ path: '/signs/{code}', operations: ['read', 'list', 'create'] }],
});

const note = resource({
  name: 'Note',
  group: 'Store',
  description: 'Shown in part at one path, as a whole at another.',
  fields: { text: text(), secret: text({ groups: ['all', 'insert'] }) },
  places: [
    { path: '/notes/{id}', operations: ALL },
    { path: '/whole_notes/{id}', operations: ['read', 'patch'], groups: { read: 'all', update: 'all' } },
  ],
});

describe('a field costs one line of a declaration', () => {
  const earlier = createModel([language, bookOf(bookFields)]);
  const later = createModel([language, bookOf({ ...bookFields, price: decimal({ min: 0 }) })]);

  test('its migration is one step, worked out from the declaration', () => {
    assert.deepEqual(difference(schemaOf(earlier), schemaOf(later)), [
      { step: 'add column', table: 'book', column: { name: 'price', type: 'decimal', nullable: false, default: 0 } },
    ]);
  });

  test('the reference has it', () => {
    const document = openApiDocument(later, { baseUrl: 'http://x', programVersion: '1', specVersion: '3.1.0' });
    assert.ok(JSON.stringify(document).includes('"price"'));
  });
});

describe('a field costs one line and one command', () => {
  const migration = String(readMigrations().length + 1).padStart(4, '0');
  let tree: TreeCopy;
  before(async () => {
    tree = await TreeCopy.make();
  });
  after(() => tree.remove());

  test('which writes nothing where nothing has changed', async () => {
    const earlier = await tree.files();
    const { code, output } = await tree.run('renew/run.ts');
    assert.deepEqual([code, output], [0, 'Everything is as the declarations say; nothing was written.\n']);
    assert.deepEqual(changed(earlier, await tree.files()), []);
  });

  test('which asks for the name of the migration, and writes nothing before', async () => {
    const original = await tree.files();
    await tree.change(
      'src/domain/product.ts',
      /^ {4}free_shipping: .*\n/m,
      '$&    shelf_mark: text({ lengthMax: 20 }),\n',
    );
    const earlier = await tree.files();
    assert.deepEqual(changed(original, earlier), ['src/domain/product.ts']);
    for (const name of [[], ['Shelf mark']]) {
      const { code, output } = await tree.run('renew/run.ts', ...name);
      assert.equal(code, 1);
      assert.match(output, /^The tables change: 1 step\. Name the migration.*: npm run renew -- what-it-is-for\n$/);
    }
    assert.deepEqual(changed(earlier, await tree.files()), []);
  });

  test('which writes what follows, and says so in a line each', async () => {
    const earlier = await tree.files();
    const { code, output } = await tree.run('renew/run.ts', 'shelf-mark');
    assert.equal(code, 0, output);
    const kept = `test/data/stores/${migration}-shelf-mark`;
    const files = changed(earlier, await tree.files());
    const generated = [
      'src/client/types.ts',
      `src/domain/migrations/${migration}-shelf-mark.json`,
      'test/snapshots/interface.txt',
      'test/snapshots/schema.postgres.sql',
      'test/snapshots/schema.sqlite.sql',
    ];
    assert.deepEqual(
      files.filter((file) => !file.startsWith(`${kept}/`)),
      generated,
    );
    for (const part of ['answers.json', 'store.db.gz', 'images/']) assert.ok(files.some((file) => file.includes(part)));
    const told = output.split('\n').flatMap((line) => /^Wrote ([^:]*?)[.:]( |$)/.exec(line)?.[1] ?? []);
    assert.deepEqual(told.sort(), [...generated, kept].sort());
  });

  test('after which a difference of a few lines is read in review', async () => {
    const path = 'test/snapshots/interface.txt';
    const earlier = new Set((await readFile(join(ROOT, path), 'utf8')).split('\n'));
    const now = (await readFile(join(tree.folder, path), 'utf8')).split('\n');
    assert.deepEqual(
      now.filter((line) => !earlier.has(line)),
      ['  shelf_mark?: string length ≤20 default ""', '  shelf_mark: string length ≤20'],
    );
  });

  test('after which the tests about whole records hold, and those of the generated files', async () => {
    const { code, output } = await tree.run(
      '--test',
      '--test-global-setup=test/support/global-setup.ts',
      // Of the files with many tests, those that look at every field.
      '--test-name-pattern=what the declarations say|the defaults|specified fields|what it leaves out|whoever writes',
      'test/engine/generated.test.ts',
      'test/api/product.test.ts',
      'test/api/formats-and-headers.test.ts',
      'test/api/put-and-patch.test.ts',
      'test/faults/migrations.test.ts',
    );
    assert.equal(code, 0, output);
    assert.ok(Number(/^ℹ pass (\d+)$/m.exec(output)![1]) >= 9, output);
  });

  test('which then writes nothing more', async () => {
    const { output } = await tree.run('renew/run.ts');
    assert.match(output, /nothing was written/);
  });
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TREE_FOLDERS = ['bin', 'src', 'test', 'renew'];

/** The files that a command needs of the repository, in a folder of its own. */
class TreeCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<TreeCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-tree-'));
    for (const part of [...TREE_FOLDERS, 'package.json'])
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return new TreeCopy(folder);
  }

  /** Runs a program of the copy with the project's Node. */
  run(...args: string[]): Promise<{ code: number; output: string }> {
    // A run of tests inside this one is a run of its own.
    // All databases, also where this run takes one of them only.
    const { NODE_TEST_CONTEXT: _, TEST_DATABASES: __, ...environment } = process.env;
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: this.folder, env: environment }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
      });
    });
  }

  async change(path: string, pattern: RegExp, by: string): Promise<void> {
    const file = join(this.folder, path);
    const text = await readFile(file, 'utf8');
    assert.match(text, pattern);
    await writeFile(file, text.replace(pattern, by));
  }

  /** The content of each file. */
  async files(): Promise<Map<string, string>> {
    const folders = TREE_FOLDERS.map((name) =>
      readdir(join(this.folder, name), { recursive: true, withFileTypes: true }),
    );
    const entries = (await Promise.all(folders)).flat();
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      await Promise.all(
        paths.map(async (path) => [path.slice(this.folder.length + 1), await readFile(path, 'latin1')] as const),
      ),
    );
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** @returns paths of files that are new, gone or different */
function changed(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

test('the migrations reach the declarations', () => {
  assert.deepEqual(missingSteps(storeModel(), readMigrations()), []);
});

test('replaying what a difference says gives the schema it was made for', () => {
  const schema = schemaOf(storeModel());
  const steps = difference(replay([]), schema);
  assert.deepEqual(difference(replay([{ name: '0001', steps }]), schema), []);
});

for (const fresh of await freshDatabases())
  describe(`a resource costs one declaration, on ${fresh.name}`, () => {
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

    test('it is created, read, listed, replaced, patched and deleted', async () => {
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

    test('a uuid identifies it, in any case, and links go by name', async () => {
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

    test('only declared values of an enumeration may be asked for', async () => {
      assert.equal((await fixture.request('GET', '/api/books?pages=100')).status, 200);
      const refused = await fixture.request('GET', '/api/books?pages=7');
      assert.equal(refused.status, 400);
      assert.match(refused.json.detail, /1, 100/);
    });

    test('a place may show and take the fields of other groups', async () => {
      const made = await fixture.request('POST', '/api/notes', { text: 'a', secret: 's' });
      assert.deepEqual(made.json, { id: 1, text: 'a' });
      assert.deepEqual((await fixture.request('GET', '/api/whole_notes/1')).json, { id: 1, text: 'a', secret: 's' });
      assert.equal((await fixture.request('PATCH', '/api/notes/1', { secret: 't' })).status, 422);
      assert.equal((await fixture.request('PATCH', '/api/whole_notes/1', { secret: 't' })).json.secret, 't');
    });

    test('operations that are not declared are not there', async () => {
      assert.equal((await fixture.request('POST', '/api/signs', { code: 'ABC' })).status, 201);
      assert.equal((await fixture.request('GET', '/api/signs/ABC')).json.code, 'ABC');
      assert.equal((await fixture.request('GET', '/api/signs/abc')).status, 404);
      const refused = await fixture.request('PUT', '/api/signs/ABC', { code: 'ABC' });
      assert.equal(refused.status, 405);
      assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
    });
  });
