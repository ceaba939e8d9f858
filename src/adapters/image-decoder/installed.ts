/**
 * Whether sharp has its program for this machine: an optional package of its own, which `npm install --omit=optional`
 * leaves out.
 */
import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';
import { fileURLToPath } from 'node:url';

/** As sharp calls its platforms. */
const PLATFORMS = [`${platform}-${arch}`, `${platform}musl-${arch}`, 'wasm32'];

/**
 * Only looks for the file: to load it takes a tenth of a second and 40 MB, which a start should not.
 * @returns false also where somebody built the program by hand; the decoder itself knows
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
