/** Generates random bytes in batches, because one call of the generator costs more than the rest of an audit entry. */
import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;

/** @returns a function that returns cryptographically random bytes in base64; no copy of them remains */
export function createRandomTokens(): (bytes: number) => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (bytes > POOL_BYTES) throw new RangeError(`At most ${POOL_BYTES} random bytes can be generated at once.`);
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const token = pool.toString('base64', used, used + bytes);
    pool.fill(0, used, used + bytes);
    used += bytes;
    return token;
  };
}
