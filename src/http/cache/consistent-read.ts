/** Reads of several statements that must see one state of the store. */
import { type Service, serviceIn } from '../../engine/index.ts';
import type { CacheDependencies, CacheValidator } from './cache-validator.ts';

/** Number of reads without a snapshot, before one that uses a snapshot. */
const ATTEMPTS_MAX = 2;

interface ConsistentRead<T> {
  readonly found: T;
  /** The last check that was complete when the data was read. */
  readonly after: number;
}

/**
 * Reads without a snapshot, so that searches have their time limit, unless something has changed meanwhile.
 * @param dependencies undefined: the read depends on more, and needs a snapshot
 */
export async function readConsistently<T>(
  service: Service,
  cacheValidator: CacheValidator,
  dependencies: CacheDependencies | undefined,
  read: (from: Service) => Promise<T>,
): Promise<ConsistentRead<T>> {
  const unchanged =
    dependencies && (await readUnchanged(cacheValidator, dependencies, ATTEMPTS_MAX, () => read(service)));
  if (unchanged) return unchanged;
  const after = cacheValidator.lastCheck;
  return { found: await service.database.snapshot((run) => read(serviceIn(service, run))), after };
}

/**
 * Reads without a snapshot, so that searches have their time limit.
 * @returns undefined if something has changed during each attempt
 */
export async function readUnchanged<T>(
  cacheValidator: CacheValidator,
  dependencies: CacheDependencies,
  attempts: number,
  read: () => Promise<T>,
): Promise<ConsistentRead<T> | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const after = cacheValidator.lastCheck;
    const found = await read();
    await cacheValidator.check();
    if (cacheValidator.isUnchangedSince(after, dependencies)) return { found, after };
  }
  return undefined;
}
