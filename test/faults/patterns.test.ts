/** Checks all cached verdicts on regular expressions again (reliability, row C19). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHECKER, provenVerdict } from '../support/patterns.ts';

test('every cached verdict on a regular expression is confirmed by the checker', () => {
  const [checker, ...lines] = readFileSync('test/snapshots/patterns.txt', 'utf8').trimEnd().split('\n');
  assert.equal(checker, CHECKER);
  assert.ok(lines.length > 100);
  const wrong = lines.filter((line) => {
    const [, verdict, text] = /^(\w+) (.*)$/.exec(line)!;
    return provenVerdict(text!) !== verdict;
  });
  assert.deepEqual(wrong, []);
});
