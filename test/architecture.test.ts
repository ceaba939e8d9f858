/** The rooms' import rules of ARCHITECTURE.md, checked on every import of every source file; citations lead somewhere. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { storeModel } from '../src/wiring/open.ts';
import { citationsOf, sources } from './support/citations.ts';

const SOURCES = globSync('src/**/*.ts');

/** For each room: which other files of ours it may import, and whether it may import Node's own modules. */
const LAYERS_ALLOWED: readonly { room: string; may: RegExp; node: boolean }[] = [
  { room: 'src/engine/', may: /^src\/engine\//, node: false },
  { room: 'src/domain/', may: /^src\/(domain\/|engine\/vocabulary\.ts)/, node: false },
  { room: 'src/describe/', may: /^src\/(describe\/|engine\/index\.ts)/, node: false },
  { room: 'src/store/', may: /^src\/(store\/|engine\/index\.ts)/, node: true },
  { room: 'src/adapters/sqlite/', may: /^src\/(adapters\/(sqlite\/|child\.ts)|engine\/(ports|index)\.ts)/, node: true },
  { room: 'src/adapters/postgres/', may: /^src\/(adapters\/postgres\/|engine\/(ports|index)\.ts)/, node: true },
  { room: 'src/adapters/images-disk/', may: /^src\/(adapters\/images-disk\/|engine\/ports\.ts)/, node: true },
  { room: 'src/adapters/images-s3/', may: /^src\/(adapters\/images-s3\/|engine\/ports\.ts)/, node: true },
  {
    room: 'src/adapters/image-decoder/',
    may: /^src\/(adapters\/(image-decoder\/|web\/|child\.ts|semaphore\.ts)|engine\/ports\.ts)/,
    node: true,
  },
  { room: 'src/adapters/web/', may: /^src\/(adapters\/web\/|engine\/ports\.ts)/, node: true },
  { room: 'src/adapters/secrets/', may: /^src\/(adapters\/(secrets\/|semaphore\.ts)|engine\/ports\.ts)/, node: true },
  { room: 'src/adapters/child.ts', may: /^$/, node: true },
  { room: 'src/adapters/semaphore.ts', may: /^src\/engine\/ports\.ts/, node: true },
  { room: 'src/metrics/', may: /^src\/(metrics\/|engine\/index\.ts)/, node: true },
  { room: 'src/http/', may: /^src\/(http\/|describe\/|store\/|metrics\/|engine\/index\.ts)/, node: true },
  { room: 'src/client/', may: /^src\/client\//, node: false },
  {
    room: 'src/wiring/',
    may: /^src\/(wiring|adapters|domain|store|metrics)\/|^src\/(engine\/(index|ports)|http\/admission\/limits)\.ts/,
    node: true,
  },
  {
    room: 'src/transfer/',
    may: /^src\/(transfer|wiring|store|domain\/rules|adapters\/sqlite)\/|^src\/((engine|client)\/index|engine\/text-forms)\.ts/,
    node: true,
  },
  { room: 'src/cli/', may: /^src\/(?!engine\/(?!index\.ts))/, node: true },
];

/** The engine's layers from the lowest: each imports only what is below it, or its own. Files outside of them are the lowest. */
const LAYERS = ['fields', 'model', 'request', 'sql', 'unit', 'operations'];

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
    SOURCES.filter((file) => !LAYERS_ALLOWED.some(({ room }) => file.startsWith(room))),
    [],
  );
});

for (const { room, may, node } of LAYERS_ALLOWED)
  test(`${room} imports only what it may`, () => {
    const own = imports.filter(({ file }) => file.startsWith(room));
    assert.ok(own.length > 0);
    const wrong = own.filter(({ file, from }) => {
      if (from.startsWith('node:')) return !node;
      return from.startsWith('.') && !may.test(normalize(join(dirname(file), from)));
    });
    assert.deepEqual(wrong, []);
  });

test('the admin page knows of the store what its client and its importer say', () => {
  const own = globSync('admin/src/**/*.{ts,tsx}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from]) => ({
      file,
      from: from!,
    })),
  );
  assert.ok(own.length > 200);
  const isOutside = (file: string, from: string) => !normalize(join(dirname(file), from)).startsWith('admin/src/');
  assert.deepEqual(
    own.filter(({ file, from }) => (from.startsWith('.') && isOutside(file, from)) || from.startsWith('node:')),
    [],
  );
});

/** All that a file takes along when it runs: imports of types are gone by then. */
function takenAlong(first: string): Set<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    if (!file.startsWith('src/')) return;
    const text = readFileSync(file, 'utf8').replace(/^(import|export) type [^;]*;$/gm, '');
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g))
      visit(from!.startsWith('.') ? normalize(join(dirname(file), from!)) : from!);
  };
  visit(first);
  return found;
}

test('what the admin page imports of the store runs in a browser', () => {
  const packages = new Set<string>();
  for (const door of ['src/client/index.ts', PAGE_IMPORT])
    for (const file of takenAlong(door)) {
      if (!file.startsWith('src/')) packages.add(file);
      else assert.match(file, IN_BROWSER, `${door} takes ${file} along`);
    }
  // These have a build for browsers, which `admin/vite.config.ts` names where it is not the usual one.
  assert.deepEqual([...packages].sort(), ['any-ascii', 'csv-parse/sync', 'fastest-levenshtein']);
});

const IN_BROWSER =
  /^src\/(client\/|transfer\/(import|api)\/|engine\/text-forms\.ts|domain\/rules\/catalog\/(variants-max|clean-url-text)\.ts)/;

test('a declaration names other declarations and never imports one', () => {
  const declarations = globSync('src/domain/*/*.ts', { exclude: ['src/domain/rules/**'] });
  const wrong = imports.filter(
    ({ file, from }) => declarations.includes(file) && from.startsWith('.') && !/\/(rules|engine)\//.test(from),
  );
  assert.deepEqual(wrong, []);
});

test('the client needs no package', () => {
  assert.deepEqual(
    imports.filter(({ file, from }) => file.startsWith('src/client/') && !from.startsWith('./')),
    [],
  );
});

test('the layers of the engine build on each other', () => {
  const layerOf = (file: string): number => LAYERS.indexOf(file.split('/')[2]!);
  const doors = ['src/engine/index.ts', 'src/engine/vocabulary.ts'];
  const wrong = imports
    .filter(({ file, from }) => file.startsWith('src/engine/') && !doors.includes(file) && from.startsWith('.'))
    .filter(({ file, from }) => layerOf(normalize(join(dirname(file), from))) > layerOf(file));
  assert.deepEqual(wrong, []);
});

test('no file imports itself by way of others, imports of types included', () => {
  const targets = new Map<string, string[]>(SOURCES.map((file) => [file, []]));
  for (const { file, from } of imports)
    if (from.startsWith('.')) targets.get(file)!.push(normalize(join(dirname(file), from)));
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of SOURCES) visit(file, []);
});

/** The admin page calls it `purveyor/import`. */
const PAGE_IMPORT = 'src/transfer/import/in-page.ts';

/** Others' programs import this, and some of it is made from the model. */
const PUBLIC = /^src\/client\//;

test('what is exported is imported somewhere', () => {
  const users = globSync(['{src,test,bench,torture,renew,clients}/**/*.ts', 'bin/*.js', 'admin/src/**/*.{ts,tsx}'], {
    exclude: (name) => name === 'node_modules',
  });
  const imported = new Set<string>();
  for (const file of users) {
    const text = readFileSync(file, 'utf8').replaceAll(
      "'purveyor/import'",
      `'${relative(dirname(file), PAGE_IMPORT)}'`,
    );
    for (const [, names, from] of text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g))
      for (const name of names!.split(','))
        imported.add(
          `${normalize(join(dirname(file), from!))} ${
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0]
          }`,
        );
    // A whole module that is imported under a name: what is used of it stands behind that name.
    for (const [, as, from] of text.matchAll(/import \* as (\w+) from '(\.[^']+)'/g))
      for (const [, name] of text.matchAll(new RegExp(`\\b${as}\\.(\\w+)`, 'g')))
        imported.add(`${normalize(join(dirname(file), from!))} ${name}`);
    for (const [, names, from] of text.matchAll(/\{([^{}]*)\} = await import\('(\.[^']+)'\)/g))
      for (const name of names!.split(',')) imported.add(`${normalize(join(dirname(file), from!))} ${name.trim()}`);
  }
  const unused = SOURCES.filter((file) => !PUBLIC.test(file)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(EXPORTED)]
      .map(([, name]) => `${file} ${name}`)
      .filter((exported) => !imported.has(exported)),
  );
  assert.deepEqual(unused, []);
});

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type|abstract class) (\w+)/gm;

const ROWS = 'src/engine/unit/rows.ts';

/** These write while nobody else has the store: migrations, and a store in the making. A dialect says how numbers are counted. */
const BEFORE_SERVING = [
  'src/engine/sql/fill-column.ts',
  'src/engine/sql/table-rows.ts',
  'src/adapters/sqlite/dialect.ts',
];

test('one file has every way in which a row of a resource changes', () => {
  assert.deepEqual(
    SOURCES.filter((file) => changesRows(readFileSync(file, 'utf8'))).sort(),
    [ROWS, ...BEFORE_SERVING].sort(),
  );
  // And only the unit of work runs it, so that it knows what its transaction changed.
  const users = imports.filter(({ file, from }) => normalize(join(dirname(file), from)) === ROWS);
  assert.deepEqual(
    users.map(({ file }) => file),
    ['src/engine/unit/unit.ts'],
  );
});

test('a write elsewhere would be found', () => {
  const source = (text: string): string => text.replaceAll('#{', '${');
  const elsewhere = [
    'sql`update #{sql.table(resource.table)} set a = 1`',
    'sql`delete from #{sql.table(textTable(resource))} where 1 = 1`',
    'sql`\n  insert into #{sql.table(pairTable(field))} values (1)`',
    'sql`update product set amount = 0`',
    "sql`insert into #{sql.table('product')} (sku) values (1)`",
  ];
  for (const text of elsewhere) assert.ok(changesRows(source(text)), text);
  for (const text of ["sql`insert into #{sql.table('setting')} values (1)`", 'sql`select 1 from #{sql.table(table)}`'])
    assert.ok(!changesRows(source(text)), text);
});

/** Tables that belong to no resource: each has its own file, in the engine's unit or in what a store has besides. */
const OWN_TABLES = new Set([
  'setting',
  'api_key',
  'admin_session',
  'sign_in_token',
  'kept_answer',
  'imported_image',
  'change',
  'change_inbox',
  'file_claim',
  'released_file',
]);

/** Whether a text of source has a statement that changes rows of a table that may be a resource's. */
function changesRows(text: string): boolean {
  const constants = new Map(
    [...text.matchAll(/const (\w+) = sql\.table\('(\w+)'\)/g)].map(([, name, table]) => [name, table]),
  );
  return [
    ...text.matchAll(
      /\b(?:insert into|update|delete from)\s+(\$\{sql\.table\((.*?)\)\}|\$\{(\w+)\}|[a-z_]+ (?:set|where|\())/g,
    ),
  ].some(([statement, , table, constant]) => {
    if (constant) return !OWN_TABLES.has(constants.get(constant) ?? '');
    if (table) return !OWN_TABLES.has(/^'(\w+)'$/.exec(table)?.[1] ?? '');
    return !OWN_TABLES.has(statement.split(/\s+/).at(-2)!);
  });
}

test('nobody imports the command line', () => {
  assert.deepEqual(
    imports.filter(({ file, from }) => !file.startsWith('src/cli/') && /(^|\/)cli\//.test(from)),
    [],
  );
});

/** Words of the shop that HTTP, SQL or programs have too, and that the engine uses so. */
const GENERAL = new Set(
  `once apply count data available width height filename move built free note total method position tag description property detail limit
  taken local code title image statu date clas show url include addres create transaction mode item update group order select
  default kind parent for option language path number text type name value message cursor next pending until asked old entry since
  gone attempt reason failure retry replay test admin secret field state change first last level access work custom id addresse password line return ordered`.split(
    /\s+/,
  ),
);

test('the engine speaks no word of the shop', () => {
  const shop = new Set<string>();
  for (const { name, fields, routes, actions, views } of storeModel().resources.values())
    for (const text of [
      name,
      ...fields.keys(),
      ...[...routes].map(({ path }) => path),
      ...[...actions, ...views].map((each) => each.name),
    ])
      for (const word of wordsOf(text)) if (!GENERAL.has(word)) shop.add(word);
  assert.ok(shop.size > 60);
  const lines = globSync('src/engine/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // Comments may give examples.
      .map((line, index) => ({ where: `${file}:${index + 1}`, line: withoutComment(line) }))
      .filter(({ line }) => wordsOf(line).some((word) => shop.has(word))),
  );
  assert.deepEqual(lines, []);
});

/** Words of three letters and more, in lower case and the singular. */
function wordsOf(text: string): string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.filter((word) => word.length > 2).map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
}

test('only units and operations await', () => {
  const waiting = globSync('src/engine/**/*.ts')
    .filter((file) => !/\/(unit|operations)\//.test(file) && !/\/sql\/(table-rows|fill-column)\.ts$/.test(file))
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
