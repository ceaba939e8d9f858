/**
 * Matching a text takes steps in proportion to its length, never to its square or worse (reliability, row C19). The checker
 * proves it with automata; patterns with long counted repetitions it tries to break, counting steps.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHECKER, collectPatterns, provenVerdict, type Verdict } from './support/patterns.ts';

/**
 * A verdict depends on the pattern and the checker alone, and all take half a minute, so they are kept: the checker, then a line for each
 * pattern. A new pattern is proven here and written down, and the test asks for a commit. `test/faults/patterns.test.ts` proves all anew.
 */
const VERDICTS = 'test/snapshots/patterns.txt';

/** Patterns that may take the square of the length: no long text of a client's choice reaches them. */
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

const { literals, made } = collectPatterns();

test('no regular expression takes more than linear time', () => {
  assert.ok(literals.length > 100, `${literals.length} were found`);
  const { verdicts, areKept } = verdictsOn([...new Set(literals.map(({ text }) => text))].sort());
  const slow = literals.filter(({ text }) => verdicts.get(text) === 'slow');
  assert.deepEqual(
    slow.filter(({ text }) => !ON_SHORT_TEXTS.includes(text)),
    [],
  );
  const unneeded = ON_SHORT_TEXTS.filter((text) => verdicts.get(text) !== 'slow');
  assert.deepEqual(unneeded, [], 'exceptions that are none');
  assert.ok(areKept, `${VERDICTS} was not up to date. It is now: commit it.`);
});

/** Those that are kept, and the others proven. A change is written down. */
function verdictsOn(texts: readonly string[]): { verdicts: ReadonlyMap<string, Verdict>; areKept: boolean } {
  const before = readFileSync(VERDICTS, 'utf8');
  const [checker, ...lines] = before.split('\n');
  const kept = new Set(checker === CHECKER ? lines : []);
  const verdictOn = (text: string): Verdict =>
    (['linear', 'slow'] as const).find((verdict) => kept.has(`${verdict} ${text}`)) ?? provenVerdict(text);
  const verdicts = new Map(texts.map((text) => [text, verdictOn(text)]));
  const after = [CHECKER, ...verdicts.entries().map(([text, verdict]) => `${verdict} ${text}`), ''].join('\n');
  if (after !== before) writeFileSync(VERDICTS, after);
  return { verdicts, areKept: after === before };
}

test('no regular expression is made of a text that a client chooses', () => {
  const wrong = made.filter(({ text }) => text.startsWith('new RegExp') || text.startsWith('RegExp('));
  assert.deepEqual(
    wrong.map(({ file }) => file),
    ['src/adapters/postgres/errors.ts'],
  );
});
