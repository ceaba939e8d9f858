/**
 * Compiled files of Node are kept between the processes of a run and from run to run: about 250 of them load the same
 * files, and each would strip their types and compile them anew. Node throws away by itself what no longer fits its file.
 */
import { fileURLToPath } from 'node:url';

/** The variable by which Node finds it. A folder that is named there already is used. */
export const COMPILED: { readonly NODE_COMPILE_CACHE: string } = {
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE || fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};

/** The environment of a program that a test starts: what every process needs, and nothing else of the test's own. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, ...COMPILED };
}
