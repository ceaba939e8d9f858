/**
 * Mistakes that a developer could make between two requests at once, made on purpose in a copy of the program: the tests that
 * should notice must fail. One that survives says that a test is too weak (reliability, row H12).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Broken } from './ledger.ts';
import type { Run } from './report.ts';

interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly tests: readonly string[];
}

const HISTORY = 'test/faults/history.test.ts';
const CONCURRENCY = 'test/api/concurrency.test.ts';
const STOCK = 'test/api/order-stock.test.ts';
const IDEMPOTENCY = 'test/api/idempotency.test.ts';
const TREE = 'test/api/category-tree.test.ts';

/** The statement that locks the record of a write. */
const LOCKED = `const [row] = await unit.ask(\`lock \${place.path}\`, commands.lockRecord(place), values);`;

const MUTANTS: readonly Mutant[] = [
  {
    name: 'If-Match is not compared',
    file: 'src/http/tags.ts',
    from: `const matches = ifMatch === undefined || ifMatch.trim() === '*' || readTags(ifMatch).some(isThis);`,
    to: 'const matches = isThis !== undefined;',
    tests: [HISTORY],
  },
  {
    name: 'rows are not locked (PostgreSQL)',
    file: 'src/adapters/postgres/dialect.ts',
    from: 'forUpdate: sql`for no key update`',
    to: 'forUpdate: sql``',
    tests: [HISTORY],
  },
  {
    name: 'a record is read before it is locked',
    file: 'src/engine/operations/before.ts',
    from: `${LOCKED}\n  const shown = row && (await unit.shown(target));`,
    to: `const shown = await unit.shown(target);\n  ${LOCKED}\n  if (!row) return undefined;`,
    tests: [HISTORY],
  },
  {
    name: 'stock is read outside of its lock',
    file: 'src/engine/unit/unit.ts',
    from: 'commands.lockRecords(resource), { ids: [...ids] }',
    to: 'commands.lockRecords(resource), { ids: [] }',
    tests: [STOCK],
  },
  {
    name: 'changes of a tree do not wait for each other',
    file: 'src/engine/operations/before.ts',
    from: 'if (tree || declaration.takesTurns)',
    to: 'if (declaration.takesTurns)',
    tests: [TREE, CONCURRENCY],
  },
  {
    name: 'an answer goes out before its commit (PostgreSQL)',
    file: 'src/adapters/postgres/database.ts',
    from: 'await transaction.commit();\n      client.release();',
    to: 'void transaction.commit().then(() => client.release(), () => client.release(true));',
    tests: ['test/faults/postgres-lost.test.ts'],
  },
  {
    name: 'a lost race is not run again (PostgreSQL)',
    file: 'src/adapters/postgres/database.ts',
    from: 'if (!isConflict(error)) throw error;',
    to: 'throw error;',
    tests: [CONCURRENCY],
  },
  {
    name: 'transactions of one process do not take turns (SQLite)',
    file: 'src/adapters/sqlite/database.ts',
    from: 'const turn = this.#last.then(work);',
    to: 'const turn = work();',
    tests: ['test/conformance/database.test.ts'],
  },
  {
    name: 'requests with one Idempotency-Key do not wait for each other',
    file: 'src/http/idempotency.ts',
    from: 'const first = running.get(name);',
    to: 'const first = undefined as Promise<void> | undefined;',
    tests: [IDEMPOTENCY],
  },
  {
    name: 'requests with one Idempotency-Key do not wait across processes',
    file: 'src/http/idempotency.ts',
    from: 'await unit.lock(',
    to: 'void (',
    tests: [IDEMPOTENCY],
  },
  {
    name: 'a key is not looked for again in the transaction',
    file: 'src/http/idempotency.ts',
    from: 'this.known = await findAnswer(unit, this.#intended);',
    to: '',
    tests: [IDEMPOTENCY],
  },
  {
    name: 'a remembered answer outlives a commit (SQLite)',
    file: 'src/http/response-cache.ts',
    from: 'if (generation !== this.#generation) {',
    to: 'if (this.#generation === undefined) {',
    tests: [HISTORY],
  },
  {
    name: 'a file is removed without a look at who names it now',
    file: 'src/engine/unit/released-files.ts',
    from: `if (await finds('file holders', commands.fileHolders(service.model.files))) {`,
    to: 'if (isClaimed) {',
    tests: ['test/api/image-files.test.ts', CONCURRENCY],
  },
  {
    name: 'a file is not put again when it went meanwhile',
    file: 'src/engine/operations/write.ts',
    from: 'if (!(await images.has(name))) await images.put(name, bytes);',
    to: 'void images; void bytes;',
    tests: ['test/api/image-files.test.ts', CONCURRENCY],
  },
];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COPIED = ['src', 'bin', 'test', 'torture', 'package.json', 'tsconfig.json'];

/** @throws {Broken} when a mutant survives, or a test fails without one */
export async function mutants({ folder, say }: Run): Promise<void> {
  const copy = join(folder, 'copy');
  for (const part of COPIED) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, file, from } of MUTANTS)
    if (readFileSync(join(copy, file), 'utf8').split(from).length !== 2)
      throw new Broken(`“${name}”: ${file} should have this exactly once; change torture/mutants.ts with it:\n${from}`);
  for (const test of new Set(MUTANTS.flatMap(({ tests }) => tests))) {
    const failed = await play(copy, [test]);
    if (failed !== undefined) throw new Broken(`Without a mutant ${test} fails: ${failed}`);
  }
  const survivors: string[] = [];
  for (const { name, file, from, to, tests } of MUTANTS) {
    const path = join(copy, file);
    const right = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      right.replace(from, () => to),
    );
    const failed = await play(copy, tests);
    writeFileSync(path, right);
    say(`${failed === undefined ? 'SURVIVED' : 'caught  '} ${name}${failed === undefined ? '' : `: ${failed}`}`);
    if (failed === undefined) survivors.push(name);
  }
  say(`${MUTANTS.length - survivors.length} of ${MUTANTS.length} caught`);
  if (survivors.length > 0) throw new Broken(`${survivors.length} survived: ${survivors.join('; ')}`);
}

/** A mutant may leave a test waiting for ever: that is noticed too. */
const TESTS_MILLISECONDS_MAX = 180_000;
const END_MILLISECONDS_MAX = 10_000;

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) process.kill(-child.pid!, 'SIGINT');
});

/** @returns the first test that failed, or undefined */
async function play(copy: string, tests: readonly string[]): Promise<string | undefined> {
  const options = ['--test', '--test-global-setup=test/support/global-setup.ts', '--test-reporter=tap'];
  // A program inside a test runner reports its own tests to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // A group of its own, which is ended with all that it has started: SIGINT lets its PostgreSQL stop.
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
  const [code] = await once(child, 'exit');
  clearTimeout(late);
  clearTimeout(tooLate);
  started.delete(child);
  if (code === 0) return undefined;
  return /^ {4,}not ok \d+ - (.*)/m.exec(output)?.[1] ?? 'something waits for ever, or the tests cannot begin';
}
