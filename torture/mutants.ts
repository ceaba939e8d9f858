/**
 * Mistakes that a developer could make, made on purpose in a copy of the program (`mutant-list.ts`): the tests that should notice
 * each must fail. One that survives says that a test is too weak (reliability, row H12).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Broken } from './ledger.ts';
import { isFoundOnce, MUTANTS, type Mutant } from './mutant-list.ts';
import type { Run } from './report.ts';

/** A row of the table. */
interface Outcome {
  readonly name: string;
  /** The first test that failed, or undefined. */
  readonly noticedBy: string | undefined;
  readonly seconds: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** All else is copied: tests read pages, declarations and programs wherever they are. */
const NOT_COPIED = ['.git', 'node_modules'];

/**
 * @param only a text in the names of the mistakes that are made; every name has the empty one
 * @throws {Broken} when no mistake is called so, when one survives, or when a test fails without one
 */
export async function mutants({ folder, say }: Run, { only }: { readonly only: string }): Promise<void> {
  const copy = join(folder, 'copy');
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const made = MUTANTS.filter(({ name }) => name.includes(only));
  if (made.length === 0) throw new Broken(`No mistake has “${only}” in its name; torture/mutant-list.ts has them all.`);
  for (const { name, file, from } of made)
    if (!isFoundOnce(readFileSync(join(copy, file), 'utf8'), from))
      throw new Broken(
        `“${name}”: ${file} should have this exactly once; change torture/mutant-list.ts with it:\n${from}`,
      );
  await playWithout(copy, made);
  const outcomes: Outcome[] = [];
  for (const { name, file, from, to, ...tests } of made) {
    const path = join(copy, file);
    const right = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      right.replace(from, () => to),
    );
    const begun = performance.now();
    const { failed } = await play(copy, tests);
    writeFileSync(path, right);
    outcomes.push({ name, noticedBy: failed, seconds: Math.round((performance.now() - begun) / 1000) });
    say(`${failed === undefined ? 'SURVIVED' : 'noticed '} ${name}`);
  }
  for (const line of tableOf(outcomes)) say(line);
  const survivors = outcomes.filter(({ noticedBy }) => noticedBy === undefined);
  say(`${outcomes.length - survivors.length} of ${outcomes.length} noticed`);
  if (survivors.length > 0)
    throw new Broken(`${survivors.length} survived: ${survivors.map(({ name }) => name).join('; ')}`);
}

type Tests = Pick<Mutant, 'tests' | 'only'>;

/** Without a mistake, what should notice it passes, and is there. */
async function playWithout(copy: string, made: readonly Tests[]): Promise<void> {
  const different = new Map(made.map(({ tests, only }) => [JSON.stringify([tests, only]), { tests, only }]));
  const wrong: string[] = [];
  for (const { tests, only } of different.values()) {
    const { failed, passed } = await play(copy, { tests, only });
    const which = `${tests.join(' ')}${only === undefined ? '' : ` (${only})`}`;
    if (failed !== undefined) wrong.push(`Without a mistake ${which} fails: ${failed}`);
    else if (passed === 0) wrong.push(`No test is called so: ${which}`);
  }
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
}

function tableOf(outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.map(({ name, noticedBy, seconds }) => [
    name,
    noticedBy ?? 'nothing: it SURVIVED',
    `${seconds}`,
  ]);
  return ['| Mutant | Noticed by | Seconds |', '|---|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)];
}

/** A mistake may leave a test waiting for ever: that is noticed too. */
const TESTS_MILLISECONDS_MAX = 180_000;
const END_MILLISECONDS_MAX = 10_000;

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) process.kill(-child.pid!, 'SIGINT');
});

/** A test that fails may leave a server behind. */
function end(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** @returns the first test that failed, or undefined; and how many passed */
async function play(copy: string, { tests, only }: Tests): Promise<{ failed: string | undefined; passed: number }> {
  // The set-up of the whole run serves each: no mistake is in what migrates a database.
  const options = ['--test', '--test-reporter=tap'];
  if (only !== undefined) options.push(`--test-name-pattern=${only}`);
  // A program inside a test runner reports its own tests to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // A group of its own, which is ended with all that it has started: SIGINT lets a PostgreSQL of its own stop.
  const group = { cwd: copy, env, detached: true };
  const child = spawn(process.execPath, [...options, ...tests], { ...group, stdio: ['ignore', 'pipe', 'ignore'] });
  const signal = (name: NodeJS.Signals): boolean => process.kill(-child.pid!, name);
  started.add(child);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const late = setTimeout(() => signal('SIGINT'), TESTS_MILLISECONDS_MAX);
  const tooLate = setTimeout(() => signal('SIGKILL'), TESTS_MILLISECONDS_MAX + END_MILLISECONDS_MAX);
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  end(child.pid!);
  await Promise.race([closed, sleep(END_MILLISECONDS_MAX, undefined, { ref: false })]);
  clearTimeout(late);
  clearTimeout(tooLate);
  started.delete(child);
  // A file without such a test is told as one itself.
  const passed = [...output.matchAll(/^ *ok \d+ - (.*)/gm)].filter(([, title]) => !tests.includes(title!)).length;
  if (code === 0) return { failed: undefined, passed };
  // A test stands before the suite that it is in.
  const failed = /^ *not ok \d+ - (.*)/m.exec(output)?.[1];
  return { failed: failed ?? 'something waits for ever, or the tests cannot begin', passed };
}
