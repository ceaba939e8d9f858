/** `npm run renew` in a copy of the repository: a new field takes one line and this command (ARCHITECTURE.md). */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readMigrations } from '../../src/wiring/open.ts';

describe('npm run renew', () => {
  const migration = String(readMigrations().length + 1).padStart(4, '0');
  let tree: TreeCopy;
  before(async () => {
    tree = await TreeCopy.make();
  });
  after(() => tree.remove());

  test('writes nothing if no declaration has changed', async () => {
    const earlier = await tree.files();
    const { code, output } = await tree.run('renew/run.ts');
    assert.deepEqual([code, output], [0, 'All generated files are up to date.\n']);
    assert.deepEqual(changed(earlier, await tree.files()), []);
  });

  test('requires a migration name before it writes anything', async () => {
    const original = await tree.files();
    await tree.change(
      'src/domain/catalog/product.ts',
      /^ {4}free_shipping: .*\n/m,
      '$&    shelf_mark: text({ lengthMax: 20 }),\n',
    );
    const earlier = await tree.files();
    assert.deepEqual(changed(original, earlier), ['src/domain/catalog/product.ts']);
    for (const name of [[], ['Shelf mark']]) {
      const { code, output } = await tree.run('renew/run.ts', ...name);
      assert.equal(code, 1);
      assert.match(output, /^The tables change \(1 step\)\..* Run: npm run renew -- NAME-OF-THE-MIGRATION\n$/);
    }
    assert.deepEqual(changed(earlier, await tree.files()), []);
  });

  test('writes all generated files and prints a line for each', async () => {
    const earlier = await tree.files();
    const { code, output } = await tree.run('renew/run.ts', 'shelf-mark');
    assert.equal(code, 0, output);
    const kept = `test/data/stores/${migration}-shelf-mark`;
    const files = changed(earlier, await tree.files());
    const generated = [
      'src/client/types.ts',
      `src/domain/migrations/${migration}-shelf-mark.json`,
      'test/snapshots/interface.txt',
      'test/snapshots/schema.postgres.sql',
      'test/snapshots/schema.sqlite.sql',
    ];
    assert.deepEqual(
      files.filter((file) => !file.startsWith(`${kept}/`)),
      generated,
    );
    for (const part of ['answers.json', 'store.db.gz', 'images/']) assert.ok(files.some((file) => file.includes(part)));
    const printed = output.split('\n').flatMap((line) => /^Wrote ([^:]*?)[.:]( |$)/.exec(line)?.[1] ?? []);
    assert.deepEqual(printed.sort(), [...generated, kept].sort());
  });

  test('produces a diff of a few lines', async () => {
    const path = 'test/snapshots/interface.txt';
    const earlier = new Set((await readFile(join(ROOT, path), 'utf8')).split('\n'));
    const now = (await readFile(join(tree.folder, path), 'utf8')).split('\n');
    assert.deepEqual(
      now.filter((line) => !earlier.has(line)),
      ['  shelf_mark?: string length ≤20 default ""', '  shelf_mark: string length ≤20'],
    );
  });

  test('leaves the tests of whole records and generated files passing', async () => {
    const { code, output } = await tree.run(
      '--test',
      '--test-global-setup=test/support/global-setup.ts',
      // Only the tests that cover every field.
      '--test-name-pattern=matches the declarations|the defaults|specified fields|resets omitted|sample store for every migration',
      'test/engine/generated.test.ts',
      'test/api/product.test.ts',
      'test/api/formats-and-headers.test.ts',
      'test/api/put-and-patch.test.ts',
      'test/faults/migrations.test.ts',
    );
    assert.equal(code, 0, output);
    assert.ok(Number(/^ℹ pass (\d+)$/m.exec(output)![1]) >= 9, output);
  });

  test('writes nothing when run again', async () => {
    const { output } = await tree.run('renew/run.ts');
    assert.match(output, /All generated files are up to date/);
  });
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TREE_FOLDERS = ['bin', 'src', 'test', 'renew'];

/** A copy of the repository's files that a command needs. */
class TreeCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<TreeCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-tree-'));
    for (const part of [...TREE_FOLDERS, 'package.json'])
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return new TreeCopy(folder);
  }

  /** Runs a program of the copy with this Node.js. */
  run(...args: string[]): Promise<{ code: number; output: string }> {
    // A nested test run must not inherit this run's context.
    // All databases, even if this run is limited to one.
    const { NODE_TEST_CONTEXT: _, TEST_DATABASES: __, ...environment } = process.env;
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: this.folder, env: environment }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
      });
    });
  }

  async change(path: string, pattern: RegExp, by: string): Promise<void> {
    const file = join(this.folder, path);
    const text = await readFile(file, 'utf8');
    assert.match(text, pattern);
    await writeFile(file, text.replace(pattern, by));
  }

  /** Content by path. */
  async files(): Promise<Map<string, string>> {
    const folders = TREE_FOLDERS.map((name) =>
      readdir(join(this.folder, name), { recursive: true, withFileTypes: true }),
    );
    const entries = (await Promise.all(folders)).flat();
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      await Promise.all(
        paths.map(async (path) => [path.slice(this.folder.length + 1), await readFile(path, 'latin1')] as const),
      ),
    );
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** @returns paths of added, removed or changed files */
function changed(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}
