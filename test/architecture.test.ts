/** Checks the import rules of ARCHITECTURE.md on every import of every source file, and that citations exist. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { storeModel } from '../src/wiring/open.ts';
import { citationsOf, sources } from './support/citations.ts';

const SOURCES = globSync('src/**/*.ts');

/** For each layer: the files that it may import, and whether it may import Node's own modules. */
const LAYERS: readonly { layer: string; allowed: RegExp; node: boolean }[] = [
  { layer: 'src/engine/', allowed: /^src\/engine\//, node: false },
  { layer: 'src/domain/', allowed: /^src\/(domain\/|pricing\/|engine\/vocabulary\.ts)/, node: false },
  {
    layer: 'src/pricing/',
    allowed: /^src\/(pricing\/|engine\/(vocabulary|text-forms)\.ts)/,
    node: false,
  },
  { layer: 'src/access/', allowed: /^src\/(access\/|engine\/index\.ts)/, node: false },
  { layer: 'src/describe/', allowed: /^src\/(describe\/|access\/|engine\/index\.ts)/, node: false },
  {
    layer: 'src/shop/',
    allowed: /^src\/(shop\/|store\/|pricing\/(currencies|money)\.ts|domain\/rules\/|engine\/index\.ts)/,
    node: true,
  },
  { layer: 'src/store/', allowed: /^src\/(store\/|access\/|engine\/index\.ts)/, node: true },
  {
    layer: 'src/adapters/sqlite/',
    allowed: /^src\/(adapters\/(sqlite\/|child\.ts)|engine\/(ports|index)\.ts)/,
    node: true,
  },
  { layer: 'src/adapters/postgres/', allowed: /^src\/(adapters\/postgres\/|engine\/(ports|index)\.ts)/, node: true },
  { layer: 'src/adapters/images-disk/', allowed: /^src\/(adapters\/images-disk\/|engine\/ports\.ts)/, node: true },
  { layer: 'src/adapters/images-s3/', allowed: /^src\/(adapters\/images-s3\/|engine\/ports\.ts)/, node: true },
  {
    layer: 'src/adapters/image-decoder/',
    allowed: /^src\/(adapters\/(image-decoder\/|web\/|child\.ts|bounded-queue\.ts)|engine\/ports\.ts)/,
    node: true,
  },
  {
    layer: 'src/adapters/attachments/',
    allowed: /^src\/(adapters\/(attachments\/|web\/)|engine\/ports\.ts)/,
    node: true,
  },
  {
    layer: 'src/adapters/web/',
    allowed: /^src\/(adapters\/(web\/|bounded-queue\.ts)|engine\/ports\.ts)/,
    node: true,
  },
  {
    layer: 'src/adapters/secrets/',
    allowed: /^src\/(adapters\/(secrets\/|bounded-queue\.ts)|engine\/ports\.ts)/,
    node: true,
  },
  {
    layer: 'src/adapters/oidc/',
    allowed: /^src\/adapters\/(oidc\/|web\/)/,
    node: true,
  },
  { layer: 'src/adapters/mail/', allowed: /^src\/(adapters\/mail\/|engine\/ports\.ts)/, node: true },
  { layer: 'src/adapters/child.ts', allowed: /^$/, node: true },
  { layer: 'src/adapters/bounded-queue.ts', allowed: /^src\/engine\/ports\.ts/, node: true },
  { layer: 'src/metrics/', allowed: /^src\/(metrics\/|engine\/index\.ts)/, node: true },
  {
    layer: 'src/http/',
    allowed: /^src\/(http\/|describe\/|access\/|store\/|shop\/|metrics\/|engine\/index\.ts)/,
    node: true,
  },
  { layer: 'src/client/', allowed: /^src\/client\//, node: false },
  {
    layer: 'src/wiring/',
    allowed:
      /^src\/(wiring|adapters|domain|pricing|store|shop|metrics)\/|^src\/(engine\/(index|ports)|http\/admission\/limits)\.ts/,
    node: true,
  },
  {
    layer: 'src/transfer/',
    allowed:
      /^src\/(transfer|wiring|store|shop|domain\/rules|adapters\/sqlite)\/|^src\/((engine|client)\/index|engine\/(text-forms|hints|html))\.ts/,
    node: true,
  },
  { layer: 'src/cli/', allowed: /^src\/(?!engine\/(?!index\.ts))/, node: true },
];

/** The engine's layers, lowest first. Each imports only itself and lower ones. All other files are the lowest. */
const ENGINE_LAYERS = ['fields', 'model', 'request', 'sql', 'unit', 'operations'];

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

test('assigns every source file to a layer', () => {
  assert.ok(SOURCES.length > 50);
  assert.deepEqual(
    SOURCES.filter((file) => !LAYERS.some(({ layer }) => file.startsWith(layer))),
    [],
  );
});

for (const { layer, allowed, node } of LAYERS)
  test(`${layer} imports only its allowed layers`, () => {
    const own = imports.filter(({ file }) => file.startsWith(layer));
    assert.ok(own.length > 0);
    const wrong = own.filter(({ file, from }) => {
      if (from.startsWith('node:')) return !node;
      return from.startsWith('.') && !allowed.test(normalize(join(dirname(file), from)));
    });
    assert.deepEqual(wrong, []);
  });

test('no folder of the program or of the admin page has more than 25 files', () => {
  const byFolder = Map.groupBy([...SOURCES, ...globSync('admin/src/**/*.{ts,tsx}')], (file) => dirname(file));
  const sizes = [...byFolder].map(([folder, files]) => [folder, files.length] as const);
  assert.ok(sizes.length > 50);
  assert.deepEqual(
    sizes.filter(([, size]) => size > 25),
    [],
  );
});

test('the admin page imports the store only through its packages', () => {
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

/** A file and its imports, recursively, without imports of types. */
function transitiveImports(first: string): Set<string> {
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

test('everything that the admin page imports from the store runs in a browser', () => {
  const packages = new Set<string>();
  for (const entryPoint of ['src/client/index.ts', 'src/client/storefront/index.ts', PAGE_IMPORT, PAGE_CURRENCIES])
    for (const file of transitiveImports(entryPoint)) {
      if (!file.startsWith('src/')) packages.add(file);
      else assert.match(file, IN_BROWSER, `${entryPoint} imports ${file}`);
    }
  // These have a browser build, which `admin/vite.config.ts` names if it is not the default export.
  assert.deepEqual([...packages].sort(), ['any-ascii', 'csv-parse/sync', 'fastest-levenshtein']);
});

const IN_BROWSER =
  /^src\/(client\/|transfer\/(import|api)\/|engine\/(text-forms|hints|html|english-names)\.ts|domain\/rules\/catalog\/(variants-max|clean-url-text|open-graph)\.ts|pricing\/currencies\.ts)/;

test('the price calculation reads no clock and no random number', () => {
  const own = SOURCES.filter((file) => file.startsWith('src/pricing/'));
  assert.ok(own.length > 10);
  const impure = /\b(?:Date|performance|process|globalThis)\b|Math\.random|\bawait\b/;
  assert.deepEqual(
    own.filter((file) => impure.test(readFileSync(file, 'utf8').split('\n').map(withoutComment).join('\n'))),
    [],
  );
});

test('no declaration imports another declaration', () => {
  const declarations = globSync('src/domain/*/*.ts', { exclude: ['src/domain/{rules,tutorials}/**'] });
  const wrong = imports.filter(
    ({ file, from }) =>
      declarations.includes(file) && from.startsWith('.') && !/\/(rules|tutorials|engine)\//.test(from),
  );
  assert.deepEqual(wrong, []);
});

test('the client imports no package', () => {
  assert.deepEqual(
    imports.filter(({ file, from }) => file.startsWith('src/client/') && !from.startsWith('.')),
    [],
  );
});

test('each layer of the engine imports only lower layers', () => {
  const layerOf = (file: string): number => ENGINE_LAYERS.indexOf(file.split('/')[2]!);
  const entryPoints = ['src/engine/index.ts', 'src/engine/vocabulary.ts'];
  const wrong = imports
    .filter(({ file, from }) => file.startsWith('src/engine/') && !entryPoints.includes(file) && from.startsWith('.'))
    .filter(({ file, from }) => layerOf(normalize(join(dirname(file), from))) > layerOf(file));
  assert.deepEqual(wrong, []);
});

test('there are no import cycles, including imports of types', () => {
  const targets = new Map<string, string[]>(SOURCES.map((file) => [file, []]));
  for (const { file, from } of imports)
    if (from.startsWith('.')) targets.get(file)!.push(normalize(join(dirname(file), from)));
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `import cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of SOURCES) visit(file, []);
});

/** The admin page imports them as `purveyor/import` and `purveyor/currencies`. */
const PAGE_IMPORT = 'src/transfer/import/in-page.ts';
const PAGE_CURRENCIES = 'src/pricing/currencies.ts';

/** Public API: other programs import it, and parts of it are generated from the model. */
const PUBLIC = /^src\/client\//;

test('every export is imported somewhere', () => {
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
    // A namespace import uses the members after its name.
    for (const [, as, from] of text.matchAll(/import \* as (\w+) from '(\.[^']+)'/g))
      for (const [, name] of text.matchAll(new RegExp(`\\b${as}\\.(\\w+)`, 'g')))
        imported.add(`${normalize(join(dirname(file), from!))} ${name}`);
    for (const [, names, from] of text.matchAll(/\{([^{}]*)\} = await import\('(\.[^']+)'\)/g))
      for (const name of names!.split(',')) imported.add(`${normalize(join(dirname(file), from!))} ${name.trim()}`);
  }
  const reExporters = reExportersByFile();
  const isImported = (file: string, name: string): boolean =>
    [file, ...(reExporters.get(file) ?? [])].some((source) => imported.has(`${source} ${name}`));
  const unused = SOURCES.filter((file) => !PUBLIC.test(file)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(EXPORTED)]
      .filter(([, name]) => !isImported(file, name!))
      .map(([, name]) => `${file} ${name}`),
  );
  assert.deepEqual(unused, []);
});

/** For each file: the files that export everything from it, with `export *`. */
function reExportersByFile(): ReadonlyMap<string, string[]> {
  const pairs = SOURCES.flatMap((source) =>
    [...readFileSync(source, 'utf8').matchAll(/^export \* from '(\.[^']+)'/gm)].map(([, from]) => ({
      source,
      file: normalize(join(dirname(source), from!)),
    })),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ file }) => file)].map(([file, of]) => [file, of.map(({ source }) => source)]),
  );
}

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|interface|type|abstract class) (\w+)/gm;

const ROWS = 'src/engine/unit/rows.ts';
const INSERTS = 'src/engine/unit/inserts.ts';
const UNIT = 'src/engine/unit/unit.ts';

/** Files that write before a store is served: migrations and restores. The SQLite dialect updates its sequences. */
const BEFORE_SERVING = [
  'src/engine/sql/fill-column.ts',
  'src/engine/sql/table-rows.ts',
  'src/adapters/sqlite/dialect.ts',
  'src/adapters/postgres/migrate.ts',
];

test('only one file changes rows of resources', () => {
  assert.deepEqual(
    SOURCES.filter((file) => changesRows(readFileSync(file, 'utf8'))).sort(),
    [ROWS, ...BEFORE_SERVING].sort(),
  );
  // Only the unit of work imports it, so that it knows everything that its transaction changes.
  const usersOf = (used: string): string[] =>
    imports.filter(({ file, from }) => normalize(join(dirname(file), from)) === used).map(({ file }) => file);
  assert.deepEqual(usersOf(ROWS).sort(), [INSERTS, UNIT]);
  assert.deepEqual(usersOf(INSERTS), [UNIT]);
});

test('detects statements that change rows of resources', () => {
  const source = (text: string): string => text.replaceAll('#{', '${');
  const violations = [
    'sql`update #{sql.table(resource.table)} set a = 1`',
    'sql`delete from #{sql.table(textTable(resource))} where 1 = 1`',
    'sql`\n  insert into #{sql.table(pairTable(field))} values (1)`',
    'sql`update product set amount = 0`',
    "sql`insert into #{sql.table('product')} (sku) values (1)`",
  ];
  for (const text of violations) assert.ok(changesRows(source(text)), text);
  for (const text of ["sql`insert into #{sql.table('setting')} values (1)`", 'sql`select 1 from #{sql.table(table)}`'])
    assert.ok(!changesRows(source(text)), text);
});

/** Tables that belong to no resource; each has a separate file in `engine/unit` or `store`. */
const OWN_TABLES = new Set([
  'setting',
  'api_key',
  'admin_session',
  'sign_in_token',
  'staff_user',
  'staff_role',
  'staff_view',
  'staff_link',
  'failed_sign_in',
  'staff_recovery_code',
  'staff_ticket',
  'staff_passkey',
  'staff_challenge',
  'staff_identity',
  'staff_provider_sign_in',
  'kept_answer',
  'imported_image',
  'change',
  'change_inbox',
  'audit_entry',
  'audit_inbox',
  'audit_path',
  'audit_value',
  'audit_hour',
  'file_claim',
  'released_file',
  // Mails and sessions are unpublished records, and only one folder each changes their rows.
  'mail',
  'cart',
  'shopper_session',
  'one_time_token',
  'counted_mail',
  'mail_template',
]);

/** Whether source code has a statement that changes rows of a table that can belong to a resource. */
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

test('no other layer imports the command line', () => {
  assert.deepEqual(
    imports.filter(({ file, from }) => !file.startsWith('src/cli/') && /(^|\/)cli\//.test(from)),
    [],
  );
});

/** Words of the domain that are also general terms of HTTP, SQL or programming. */
const GENERAL = new Set(
  `once apply count data available width height filename move built free note total method position tag description property detail limit
  taken local code title image statu date clas show url include addres create transaction mode item update group order select
  default kind parent for option language path number text type name value message cursor next pending until asked old entry since
  gone attempt reason failure retry replay test admin secret field state change first last level access work custom id addresse password line return ordered store time zone unit header footer keep
  year   length column page search content owner average response use separate attachment size
  begin end range key element setting base target single per used expected input result source counted share former rule record
  recorded resource lowest day created event mail template claim claimed give min max from flat percent handling hash session token one purpose
  expire cart`.split(/\s+/),
);

test('the engine uses no word of the domain', () => {
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
      // Comments may use the domain in examples.
      .map((line, index) => ({ where: `${file}:${index + 1}`, line: withoutComment(line) }))
      .filter(({ line }) => wordsOf(line).some((word) => shop.has(word))),
  );
  assert.deepEqual(lines, []);
});

/** Words of at least three letters, in lower case and singular. */
function wordsOf(text: string): string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.filter((word) => word.length > 2).map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
}

test('in the engine, only units of work and operations use await', () => {
  const awaiting = globSync('src/engine/**/*.ts')
    .filter((file) => !/\/(unit|operations)\//.test(file) && !/\/sql\/(table-rows|fill-column)\.ts$/.test(file))
    .filter((file) => /\bawait\b/.test(readFileSync(file, 'utf8').split('\n').map(withoutComment).join('\n')));
  assert.deepEqual(awaiting, []);
});

test('every cited page and section exists', () => {
  const cited = sources().flatMap((source) => citationsOf(source).map((each) => ({ file: source.file, ...each })));
  assert.ok(cited.length > 300);
  assert.deepEqual(
    cited.filter(({ resolves }) => !resolves),
    [],
  );
});

// Joined at run time, so that the test above does not find them in this file.
const BROKEN: readonly [file: string, ...parts: string[]][] = [
  ['src/engine/time.ts', 'nowhere', 'md'],
  ['src/engine/time.ts', 'docs/nowhere', 'md'],
  ['src/engine/time.ts', 'http', 'md §99'],
  ['src/engine/time.ts', 'http', 'md §§1, 6 and 99'],
  ['src/engine/time.ts', 'orders', 'md\n * §§1–99'],
  ['docs/contract/http.md', '[orders](orders', 'md#no-heading)'],
  ['docs/contract/http.md', '[orders](reference/orders', 'md)'],
  ['README.md', '[orders](#no-heading)'],
];

for (const [file, ...parts] of BROKEN)
  test(`detects the broken citation ${JSON.stringify(parts.join('.'))} in ${file}`, () => {
    const citations = citationsOf({ file, text: `A rule (${parts.join('.')}).` });
    assert.ok(citations.some(({ resolves }) => !resolves));
  });

function withoutComment(line: string): string {
  return line
    .replace(/^\s*(\/?\*|\/\/).*$/, '')
    .replace(/\/\/.*$/, '')
    .replace(/\/\*\*.*\*\//, '');
}
