/**
 * Every regular expression matches in linear time (reliability, row C19). The checker proves this with automata; it fuzzes
 * patterns with long counted repetitions and counts steps.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHECKER, collectPatterns, provenVerdict, type Verdict } from './support/patterns.ts';

/**
 * Cached verdicts, because checking all patterns takes half a minute: the checker in the first line, then one line for each
 * pattern. This test checks new patterns, updates the file and fails with a request to commit it.
 * `test/faults/patterns.test.ts` checks all patterns again.
 */
const VERDICTS = 'test/snapshots/patterns.txt';

/** Patterns that may take quadratic time, because they never match long text of a client. */
const ON_SHORT_TEXTS = [
  // addresses in the settings of the server and in the options of the client
  /\/+$/,
  // a setting
  /^\s*[A-Za-z0-9]{1,4}\s*>\s*([A-Za-z0-9]{1,4}(\s*,\s*[A-Za-z0-9]{1,4})*)?\s*$/,
  // names in the declarations
  /(?:^|[^a-z0-9]+)([a-z0-9])/gi,
  // at most 255 characters
  /(-\d*)+$/,
].map(String);

const { literals, constructed } = collectPatterns();

test('every regular expression matches in linear time', () => {
  assert.ok(literals.length > 100, `only ${literals.length} patterns found`);
  const { verdicts, isUpToDate } = verdictsOn([...new Set(literals.map(({ text }) => text))].sort());
  const slow = literals.filter(({ text }) => verdicts.get(text) === 'slow');
  assert.deepEqual(
    slow.filter(({ text }) => !ON_SHORT_TEXTS.includes(text)),
    [],
  );
  const unneeded = ON_SHORT_TEXTS.filter((text) => verdicts.get(text) !== 'slow');
  assert.deepEqual(unneeded, [], 'exceptions that are not needed');
  assert.ok(isUpToDate, `${VERDICTS} was outdated and is updated now. Commit it.`);
});

/** Returns cached verdicts, checks the other patterns, and updates the file if a verdict changed. */
function verdictsOn(texts: readonly string[]): { verdicts: ReadonlyMap<string, Verdict>; isUpToDate: boolean } {
  const before = readFileSync(VERDICTS, 'utf8');
  const [checker, ...lines] = before.split('\n');
  const cached = new Set(checker === CHECKER ? lines : []);
  const verdictOn = (text: string): Verdict =>
    (['linear', 'slow'] as const).find((verdict) => cached.has(`${verdict} ${text}`)) ?? provenVerdict(text);
  const verdicts = new Map(texts.map((text) => [text, verdictOn(text)]));
  const after = [CHECKER, ...verdicts.entries().map(([text, verdict]) => `${verdict} ${text}`), ''].join('\n');
  if (after !== before) writeFileSync(VERDICTS, after);
  return { verdicts, isUpToDate: after === before };
}

test('no regular expression is constructed from text of a client', () => {
  const wrong = constructed.filter(({ text }) => text.startsWith('new RegExp') || text.startsWith('RegExp('));
  assert.deepEqual(
    wrong.map(({ file }) => file),
    ['src/adapters/postgres/errors.ts'],
  );
});
