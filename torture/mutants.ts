/**
 * Mutation tests: applies the mistakes in `mutant-list.ts` to a copy of the program, one at a time. The listed tests must fail.
 * A surviving mutant shows that a test is too weak (reliability, row H12).
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

/** A row of the result table. */
interface Outcome {
  readonly name: string;
  /** The first test that failed, or undefined. */
  readonly detectedBy: string | undefined;
  readonly seconds: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Everything else is copied, because tests read pages, declarations and programs. */
const NOT_COPIED = ['.git', 'node_modules'];

/**
 * @param only runs the mutants whose names contain this text; empty for all
 * @throws {Broken} if no mutant matches, a mutant survives, or a test fails without one
 */
export async function mutants({ folder, say }: Run, { only }: { readonly only: string }): Promise<void> {
  const copy = join(folder, 'copy');
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const made = MUTANTS.filter(({ name }) => name.includes(only));
  if (made.length === 0)
    throw new Broken(`No mutant has “${only}” in its name. See torture/mutant-list.ts for the names.`);
  for (const { name, file, from } of made)
    if (!isFoundOnce(readFileSync(join(copy, file), 'utf8'), from))
      throw new Broken(
        `“${name}”: ${file} must contain this text exactly once. Update torture/mutant-list.ts:\n${from}`,
      );
  await checkWithoutMutants(copy, made);
  const outcomes: Outcome[] = [];
  for (const { name, file, from, to, ...tests } of made) {
    const path = join(copy, file);
    const original = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      original.replace(from, () => to),
    );
    const startedAt = performance.now();
    const { failed } = await runTests(copy, tests);
    writeFileSync(path, original);
    outcomes.push({ name, detectedBy: failed, seconds: Math.round((performance.now() - startedAt) / 1000) });
    say(`${failed === undefined ? 'SURVIVED' : 'detected'} ${name}`);
  }
  for (const line of tableOf(outcomes)) say(line);
  const survivors = outcomes.filter(({ detectedBy }) => detectedBy === undefined);
  say(`${outcomes.length - survivors.length} of ${outcomes.length} mutants detected`);
  if (survivors.length > 0)
    throw new Broken(`${survivors.length} survived: ${survivors.map(({ name }) => name).join('; ')}`);
}

type Tests = Pick<Mutant, 'tests' | 'only'>;

/** Checks that the listed tests exist and pass without a mutant. */
async function checkWithoutMutants(copy: string, made: readonly Tests[]): Promise<void> {
  const different = new Map(made.map(({ tests, only }) => [JSON.stringify([tests, only]), { tests, only }]));
  const wrong: string[] = [];
  for (const { tests, only } of different.values()) {
    const { failed, passed } = await runTests(copy, { tests, only });
    const which = `${tests.join(' ')}${only === undefined ? '' : ` (${only})`}`;
    if (failed !== undefined) wrong.push(`${which} fails without a mutant: ${failed}`);
    else if (passed === 0) wrong.push(`No test matches ${which}.`);
  }
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
}

function tableOf(outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.map(({ name, detectedBy, seconds }) => [name, detectedBy ?? 'none: SURVIVED', `${seconds}`]);
  return ['| Mutant | Detected by | Seconds |', '|---|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)];
}

/** A mutant may make a test hang, which counts as detected. */
const TESTS_MILLISECONDS_MAX = 180_000;
const END_MILLISECONDS_MAX = 10_000;

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) process.kill(-child.pid!, 'SIGINT');
});

/** Kills a process group, because a failed test may leave a server running. */
function end(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** @returns the first test that failed, if any, and the number that passed */
async function runTests(copy: string, { tests, only }: Tests): Promise<{ failed: string | undefined; passed: number }> {
  // All share the global setup of the run, because no mutant affects migrations.
  const options = ['--test', '--test-reporter=tap'];
  if (only !== undefined) options.push(`--test-name-pattern=${only}`);
  // With this variable, the runner would report its tests to an outer runner.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // A separate process group, so that everything it started can be stopped. SIGINT lets its PostgreSQL stop cleanly.
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
  // A file without a matching test is reported as a passed test itself.
  const passed = [...output.matchAll(/^ *ok \d+ - (.*)/gm)].filter(([, title]) => !tests.includes(title!)).length;
  if (code === 0) return { failed: undefined, passed };
  // A failed test is reported before its suite.
  const failed = /^ *not ok \d+ - (.*)/m.exec(output)?.[1];
  return { failed: failed ?? 'a test hangs, or the tests cannot start', passed };
}
