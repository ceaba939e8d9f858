/** Whether sharp's native binary is installed: an optional package, which `npm install --omit=optional` leaves out. */
import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';
import { fileURLToPath } from 'node:url';

/** In sharp's naming. */
const PLATFORMS = [`${platform}-${arch}`, `${platform}musl-${arch}`, 'wasm32'];

/**
 * Only checks for the file: loading it takes a tenth of a second and 40 MB, too much for a start.
 * @returns false also for a binary built from source; the decoder itself finds out
 */
export function hasProgram(): boolean {
  return PLATFORMS.some((name) => {
    try {
      createRequire(fileURLToPath(import.meta.resolve('sharp'))).resolve(`@img/sharp-${name}/package`);
      return true;
    } catch {
      return false;
    }
  });
}
