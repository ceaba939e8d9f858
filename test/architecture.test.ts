/** The rooms' import rules of ARCHITECTURE.md, checked on every import of every source file; citations lead somewhere. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { citationsOf, sources } from './support/citations.ts';

const SOURCES = globSync('src/**/*.ts');

/** For each room: which other files of ours it may import, and whether it may import Node's own modules. */
const ROOMS: readonly { room: string; may: RegExp; node: boolean }[] = [
  { room: 'src/engine/', may: /^src\/engine\//, node: false },
  { room: 'src/domain/', may: /^src\/(domain\/|engine\/(resource|errors|ports|fields\/\w+)\.ts)/, node: false },
  {
    room: 'src/adapters/sqlite/',
    may: /^src\/(adapters\/(sqlite\/|child\.ts)|engine\/(ports|operations\/fill-column)\.ts)/,
    node: true,
  },
  {
    room: 'src/adapters/postgres/',
    may: /^src\/(adapters\/postgres\/|engine\/(ports|operations\/fill-column)\.ts)/,
    node: true,
  },
  { room: 'src/adapters/images-disk/', may: /^src\/(adapters\/images-disk\/|engine\/ports\.ts)/, node: true },
  { room: 'src/adapters/pictures/', may: /^src\/(adapters\/(pictures\/|child\.ts)|engine\/ports\.ts)/, node: true },
  { room: 'src/adapters/child.ts', may: /^$/, node: true },
  { room: 'src/http/', may: /^src\/(http|engine)\//, node: true },
  { room: 'src/client/', may: /^src\/client\//, node: false },
  { room: 'src/cli/', may: /^src\//, node: true },
];

interface Import {
  readonly file: string;
  readonly from: string;
}

const imports: Import[] = SOURCES.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from]) => ({
    file,
    from: from!,
  })),
);

test('every source file is in a room', () => {
  assert.ok(SOURCES.length > 50);
  assert.deepEqual(
    SOURCES.filter((file) => !ROOMS.some(({ room }) => file.startsWith(room))),
    [],
  );
});

for (const { room, may, node } of ROOMS)
  test(`${room} imports only what it may`, () => {
    const own = imports.filter(({ file }) => file.startsWith(room));
    assert.ok(own.length > 0);
    const wrong = own.filter(({ file, from }) => {
      if (from.startsWith('node:')) return !node;
      return from.startsWith('.') && !may.test(normalize(join(dirname(file), from)));
    });
    assert.deepEqual(wrong, []);
  });

test('a declaration names other declarations and never imports one', () => {
  const declarations = globSync('src/domain/*.ts').filter((file) => !file.endsWith('/index.ts'));
  const wrong = imports.filter(
    ({ file, from }) => declarations.includes(file) && from.startsWith('./') && !from.startsWith('./rules/'),
  );
  assert.deepEqual(wrong, []);
});

test('the client needs no package', () => {
  assert.deepEqual(
    imports.filter(({ file, from }) => file.startsWith('src/client/') && !from.startsWith('./')),
    [],
  );
});

test('nobody imports the command line', () => {
  assert.deepEqual(
    imports.filter(({ file, from }) => !file.startsWith('src/cli/') && /(^|\/)cli\//.test(from)),
    [],
  );
});

test('the engine speaks no word of the shop', () => {
  const words = /\b(product|customer|membership|sticker|sku|price|stock|shopify)s?\b/i;
  const lines = globSync('src/engine/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, index) => ({ where: `${file}:${index + 1}`, line }))
      // Comments may give examples; "order" is left out: it is a word of sorting too.
      .filter(({ line }) => words.test(withoutComment(line))),
  );
  assert.deepEqual(lines, []);
});

test('only operations await', () => {
  const waiting = globSync('src/engine/**/*.ts')
    .filter((file) => !file.includes('/operations/') && !file.endsWith('/store-state.ts'))
    .filter((file) => /\bawait\b/.test(readFileSync(file, 'utf8').split('\n').map(withoutComment).join('\n')));
  assert.deepEqual(waiting, []);
});

test('every page and section that is cited is in the repository', () => {
  const cited = sources().flatMap((source) => citationsOf(source).map((each) => ({ file: source.file, ...each })));
  assert.ok(cited.length > 300);
  assert.deepEqual(
    cited.filter(({ resolves }) => !resolves),
    [],
  );
});

// Put together here, so that the test above does not find them in this file.
const WRONG: readonly [file: string, ...parts: string[]][] = [
  ['src/engine/time.ts', 'nowhere', 'md'],
  ['src/engine/time.ts', 'docs/nowhere', 'md'],
  ['src/engine/time.ts', 'http', 'md §99'],
  ['src/engine/time.ts', 'http', 'md §§1, 6 and 99'],
  ['src/engine/time.ts', 'orders', 'md\n * §§1–99'],
  ['docs/contract/http.md', '[orders](orders', 'md#no-heading)'],
  ['docs/contract/http.md', '[orders](reference/orders', 'md)'],
  ['README.md', '[orders](#no-heading)'],
];

for (const [file, ...parts] of WRONG)
  test(`the citation ${JSON.stringify(parts.join('.'))} in ${file} is noticed`, () => {
    const citations = citationsOf({ file, text: `A rule (${parts.join('.')}).` });
    assert.ok(citations.some(({ resolves }) => !resolves));
  });

function withoutComment(line: string): string {
  return line
    .replace(/^\s*(\/?\*|\/\/).*$/, '')
    .replace(/\/\/.*$/, '')
    .replace(/\/\*\*.*\*\//, '');
}
