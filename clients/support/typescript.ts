/** Type-checks a program that uses a generated client with strict settings, and runs it against the store. */
import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { READ_WRITE_KEY, type Store } from './store.ts';
import { CLIENTS, runNode, runTool } from './tool.ts';

/** The strictest settings, also for generated code and the declarations of libraries. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  // Orval imports a file of the program with the extension `.ts`.
  rewriteRelativeImportExtensions: true,
  outDir: 'out',
};

/**
 * @param folder contains the generated client; the program of `programs/` is copied into it
 * @param exceptions compiler options that the generated code does not support
 */
export async function compileAndRun(
  program: string,
  folder: string,
  store: Store,
  exceptions: Partial<typeof COMPILER_OPTIONS> = {},
): Promise<void> {
  await copyFile(join(CLIENTS, 'programs', `${program}.ts`), join(folder, 'program.ts'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, ...exceptions }, files: ['program.ts'] }),
  );
  const compiled = await runTool('tsc', ['-p', folder]);
  assert.equal(compiled.code, 0, compiled.output);
  const run = await runNode([join(folder, 'out/program.js'), store.address, READ_WRITE_KEY]);
  assert.equal(run.code, 0, run.output);
  assert.match(run.stdout, /^done$/m);
}
