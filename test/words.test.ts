/** How pages and comments are written: short cells, and sentences that begin with their subject. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from './support/citations.ts';
import { cellsOf, freeRelativesIn, proseOf, wordsIn } from './support/prose.ts';

const CELL_WORDS_MAX = 40;

const read = sources();

test(`no cell of a table has more than ${CELL_WORDS_MAX} words`, () => {
  const cells = read.filter(({ file }) => file.endsWith('.md')).flatMap(cellsOf);
  assert.ok(cells.length > 2000);
  assert.deepEqual(
    cells.filter(({ text }) => wordsIn(text) > CELL_WORDS_MAX),
    [],
  );
});

test('no sentence begins with a free relative', () => {
  const prose = read.flatMap(proseOf);
  assert.ok(prose.length > 4000);
  assert.deepEqual(prose.flatMap(freeRelativesIn), []);
});

// Put together here, so that the tests above do not find them in this file.
const WHAT = 'What';
const NOTICED: readonly [where: string, file: string, text: string][] = [
  ['at the start of a page', 'README.md', `${WHAT} is new.`],
  ['in a heading', 'README.md', `## ${WHAT} is new`],
  ['behind a sentence, in bold', 'README.md', `The store waits. **${WHAT} is new** is served.`],
  ['over a line break', 'README.md', `- The store waits.\n  ${WHAT}\n  is new is served.`],
  ['in a cell', 'README.md', `| A | B |\n|---|---|\n| x | ${WHAT} is new |`],
  ['in a docstring', 'src/new.ts', `/** ${WHAT} is new. */`],
  ['in the second line of a docstring', 'src/new.ts', `/**\n * Waits.\n * ${WHAT} is new is served.\n */`],
  ['in a tag', 'src/new.ts', `/** Waits. @returns ${WHAT} is new */`],
  ['behind code', 'src/new.ts', `const a = 1; // ${WHAT} is new is served.`],
];

for (const [where, file, text] of NOTICED)
  test(`a free relative ${where} is noticed`, () => {
    assert.equal(proseOf({ file, text }).flatMap(freeRelativesIn).length, 1);
  });

for (const text of [
  '## Questions\n\nWhat is new? Who knows?',
  'The store knows what is new.',
  '```\nWhat is new.\n```',
])
  test(`no free relative is seen in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(proseOf({ file: 'README.md', text }).flatMap(freeRelativesIn), []);
  });

test('a cell that is too long is noticed, and only that', () => {
  const text = `| A | B |\n|---|---|\n| ${'word '.repeat(40)}÷ | ${'word '.repeat(41)}|`;
  assert.deepEqual(
    cellsOf({ file: 'README.md', text }).map((cell) => wordsIn(cell.text)),
    [1, 1, 40, 41],
  );
});
