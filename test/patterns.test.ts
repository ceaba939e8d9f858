/**
 * Matching a text takes steps in proportion to its length, never to its square or worse (reliability, row C19). The checker
 * proves it with automata; patterns with long counted repetitions it tries to break, counting steps.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { checkSync } from 'recheck';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** No program of its own, no thread, no clock: the same verdict on every machine. */
process.env.RECHECK_SYNC_BACKEND = 'pure';
const WITHOUT_CLOCK = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** Another version of the checker begins anew. Deleting the folder is safe. */
const { version } = createRequire(import.meta.url)('recheck/package.json');
const VERDICTS = `node_modules/.cache/patterns/${version}`;

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

interface Pattern {
  readonly file: string;
  readonly text: string;
}

const { literals, made } = collect();

/** Every literal of the sources, and every place that makes a pattern of texts. */
function collect(): { literals: readonly Pattern[]; made: readonly Pattern[] } {
  const compiler = new API();
  const [project] = compiler.updateSnapshot({ openProjects: ['tsconfig.json'] }).getProjects();
  const literals: Pattern[] = [];
  const made: Pattern[] = [];
  for (const path of project!.rootFiles) {
    const file = relative('.', path);
    if (!file.startsWith('src/')) continue;
    const visit = (node: Node): void => {
      if (node.kind === SyntaxKind.RegularExpressionLiteral) literals.push({ file, text: node.getText() });
      if (node.kind === SyntaxKind.Identifier && node.getText() === 'RegExp')
        made.push({ file, text: node.parent.getText() });
      node.forEachChild(visit);
    };
    visit(project!.program.getSourceFile(path)!);
  }
  compiler.close();
  return { literals, made };
}

test('no regular expression takes more than linear time', () => {
  assert.ok(literals.length > 100, `${literals.length} were found`);
  const slow = Map.groupBy(literals, ({ text }) => text)
    .entries()
    .filter(([text]) => !isLinear(text))
    .map(([text, places]) => ({ text, files: places.map(({ file }) => file) }))
    .toArray();
  assert.deepEqual(
    slow.filter(({ text }) => !ON_SHORT_TEXTS.includes(text)),
    [],
  );
  const unneeded = ON_SHORT_TEXTS.filter((text) => !slow.some((each) => each.text === text));
  assert.deepEqual(unneeded, [], 'exceptions that are none');
});

/** A verdict takes up to seconds and depends on the pattern and the checker alone, so it is kept from run to run. */
function isLinear(text: string): boolean {
  const kept = join(VERDICTS, hash('sha256', text));
  if (existsSync(kept)) return readFileSync(kept, 'utf8') === 'safe';
  const end = text.lastIndexOf('/');
  const { status } = checkSync(text.slice(1, end), text.slice(end + 1), WITHOUT_CLOCK);
  mkdirSync(VERDICTS, { recursive: true });
  writeFileSync(kept, status);
  return status === 'safe';
}

test('no regular expression is made of a text that a client chooses', () => {
  const wrong = made.filter(({ text }) => text.startsWith('new RegExp') || text.startsWith('RegExp('));
  assert.deepEqual(
    wrong.map(({ file }) => file),
    ['src/adapters/postgres/errors.ts'],
  );
});
