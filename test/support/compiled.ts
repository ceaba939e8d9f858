/**
 * Node's compile cache, shared by the processes of a run and reused by later runs. Without it, each of about 250 processes
 * would strip the types of the same files and compile them again. Node invalidates entries of changed files itself.
 */
import { fileURLToPath } from 'node:url';

/** The environment variable for the cache folder; a value that is already set takes precedence. */
export const COMPILED: { readonly NODE_COMPILE_CACHE: string } = {
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE || fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};

/** The environment of a program that a test starts: `PATH` and the compile cache, without the test's own variables. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, ...COMPILED };
}
