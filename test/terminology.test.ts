/** Documentation, comments, messages and names use the terms of docs/style.md. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { countWords, find, proseOfCode, readProse } from './support/prose.ts';

/**
 * Expressions that are harmless once and a mannerism in numbers: how often each may occur per 10,000 words. PostgREST's and
 * PocketBase's documentation stay below these limits.
 */
const RATES: readonly [name: string, pattern: RegExp, limit: number][] = [
  ['tell', /\b(?:told|tells?|telling)\b/gi, 3],
  ['keep', /\b(?:kept|keeps?)\b/gi, 7],
  ['stand', /\b(?:stands?|stood)\b/gi, 1],
  ['look', /\blook(?:s|ed|ing)?\b/gi, 6],
  ['go on', /\b(?:go|goes|went|gone) (?:along|with|on)\b/gi, 1],
  ['whoever', /\b(?:who|what|which|where)ever\b/gi, 2],
  ['of which', /\bof which\b/gi, 0.5],
  ['nobody', /\bnobody\b/gi, 0.5],
  ['nothing', /\bnothing\b/gi, 4],
  ['beside', /\bbeside\b/gi, 1],
  ['anew', /\banew\b/gi, 0.3],
  ['in place of', /\bin place of\b/gi, 0.5],
  ['door, room', /\b(?:doors?|rooms?)\b/gi, 1],
  ['piece', /\bpieces?\b/gi, 2],
  ['leading where', /(?:^|[.;] )Where\b/gm, 1],
];

/** Terms that have a standard replacement. */
const TERMS: readonly [pattern: RegExp, instead: string][] = [
  [/\bkept answers?\b/gi, 'cached response, or idempotency record'],
  [/\buntold\b/gi, 'unpublished'],
  [/\bcatalogues?\b/gi, 'catalog'],
  [/\b(?:behaviour|colour|honour|favour|neighbour|labour)\w*\b/gi, 'American spelling'],
  [
    /\b(?:normalis|recognis|serialis|initialis|optimis|organis|synchronis|authoris|minimis|maximis)\w+\b/gi,
    'American spelling',
  ],
  [/\b(?:licence|centre|grey|cheque)s?\b/gi, 'American spelling'],
  [/\bcancell(?:ed|ing)\b/gi, 'American spelling'],
  [/\bjournal (?:tells|told)\b/gi, 'the journal records'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
];

/** Names of the private vocabulary that docs/style.md replaces. */
const NAMES: readonly [pattern: RegExp, instead: string][] = [
  [/^(?:Model)?Place$/, 'Route'],
  [/^(?:Rows|Search)?Slot$/, 'BindParam'],
  [/^(?:journal|Journal)(?:Place|Look)$/, 'JournalPosition'],
  [
    /^(?:Kept|Memory|OrderedIdsMemory|KeptLists?|KeptPages?|KeptAnswers?)$/,
    'ResponseCache, SegmentedLru, IdempotencyRecord',
  ],
  [/^(?:Repeats|Freshness|Dependence|wordingOf)$/, 'FastPath, CacheValidator, CacheTag, cacheVariant'],
  [/^(?:un)?told$/i, 'published'],
  [/^(?:Visit|Visitor|visitor|Caller|caller)$/, 'RequestContext, Actor, RequestOptions'],
  [/^(?:Load|Room|rooms?|strangers?|Outlet|Courier|courier|Crew|crew)$/, 'see docs/style.md'],
  [
    /^(?:World|world|Moments?|moments?|Pictures?|pictures?|twins?|Twins?|persons?|sums|Sums|remarks?)$/,
    'see docs/style.md',
  ],
];

/** The style guide lists the terms that it replaces. */
const STYLE_GUIDE = 'docs/style.md';

/** The format of backups has a field with an older name. */
const MANIFEST = 'src/transfer/backup/manifest.ts';

const prose = readProse().filter(({ file }) => file !== STYLE_GUIDE);

for (const kind of ['documentation', 'comments', 'messages'] as const)
  test(`${kind} use no expression more often than its limit`, () => {
    const parts = prose.filter((part) => part.kind === kind);
    const words = parts.reduce((total, { text }) => total + countWords(text), 0);
    assert.ok(words > 10_000);
    const excessive = RATES.flatMap(([name, pattern, limit]) => {
      const found = parts.flatMap((part) => find(part, pattern));
      const rate = (found.length * 10_000) / words;
      if (rate <= limit) return [];
      const listed = found.map(({ file, line, text }) => `  ${file}:${line}: ${text}`);
      return [`“${name}”: ${rate.toFixed(1)} in 10,000 words, at most ${limit}`, ...listed];
    });
    assert.deepEqual(excessive, []);
  });

test('prose uses standard terms and American spelling', () => {
  const wrong = TERMS.flatMap(([pattern, instead]) =>
    prose.flatMap((part) => find(part, pattern)).map(({ file, line, text }) => `${file}:${line}: ${text} → ${instead}`),
  );
  assert.deepEqual(wrong, []);
});

test('names do not use the private vocabulary', () => {
  const files = globSync('{src,admin/src,test}/**/*.{ts,tsx}').filter(
    (file) =>
      !/(^|\/)(node_modules|dist|data|snapshots)\//.test(file) &&
      file !== MANIFEST &&
      !/^src\/client\/.*types\.ts$/.test(file),
  );
  assert.ok(files.length > 500);
  const wrong = files.flatMap((file) =>
    [...new Set(declaredNames(readFileSync(file, 'utf8')))].flatMap((name) =>
      NAMES.filter(([pattern]) => pattern.test(name)).map(([, instead]) => `${file}: ${name} → ${instead}`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test('a term in a comment or a message is found, in code it is not', () => {
  const found = (source: string) => proseOfCode('src/a.ts', source).flatMap((part) => find(part, /\bcatalogue\b/g));
  assert.equal(found('/** The catalogue. */').length, 1);
  assert.equal(found("const text = 'Your catalogue has no products.';").length, 1);
  assert.equal(found('const catalogue = `catalogue`;').length, 0);
});

/** Names that a source text declares: variables, functions, classes, types and their members. */
function declaredNames(source: string): string[] {
  return [...source.matchAll(/\b(?:const|let|function\*?|class|interface|type|readonly)\s+([A-Za-z_$][\w$]*)/g)].map(
    ([, name]) => name!,
  );
}
