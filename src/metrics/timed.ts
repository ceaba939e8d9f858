/** Decorators that record the duration of database, image store and image decoder operations. */
import {
  type Database,
  DatabaseUnavailable,
  type ImageDecoder,
  type ImageStore,
  ImagesUnavailable,
  LockedTooLong,
  SearchGivenUp,
} from '../engine/index.ts';
import type { ImageSource, Metrics } from './metrics.ts';

/** Errors with their own label value. Any other failure, such as a rejected write, counts as no error. */
const ERRORS = [LockedTooLong, DatabaseUnavailable, SearchGivenUp] as const;

/** @param record gets milliseconds, and the name of an error that an operator can act on, otherwise an empty string */
export function timedDatabase(
  database: Database,
  record: (operation: string, milliseconds: number, error: string) => void,
): Database {
  const timed = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let name = '';
    try {
      return await run();
    } catch (error) {
      name = ERRORS.find((kind) => error instanceof kind)?.name ?? '';
      throw error;
    } finally {
      record(operation, performance.now() - startedAt, name);
    }
  };
  return {
    dialect: database.dialect,
    broken: database.broken,
    warning: database.warning,
    query: (statement, values) => timed('query', () => database.query(statement, values)),
    search: (statement, values) => timed('search', () => database.search(statement, values)),
    scan: (statement, values) => timed('scan', () => database.scan(statement, values)),
    transaction: (work) => timed('transaction', () => database.transaction(work)),
    snapshot: (work) => timed('snapshot', () => database.snapshot(work)),
    generation: () => database.generation(),
    generationOfOthers: () => database.generationOfOthers(),
    migrate: (migrations) => database.migrate(migrations),
    applied: () => database.applied(),
    faults: () => database.faults(),
    scrub: () => database.scrub(),
    storeSnapshot: (work) => database.storeSnapshot(work),
    found: (migrations, fill) => database.found(migrations, fill),
    close: () => database.close(),
  };
}

export function timedImages(images: ImageStore, metrics: Metrics): ImageStore {
  const timed = async <T>(operation: string, run: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let error = '';
    try {
      return await run;
    } catch (failure) {
      error = failure instanceof ImagesUnavailable ? 'ImagesUnavailable' : '';
      throw failure;
    } finally {
      metrics.imagesOperation(operation, error, (performance.now() - startedAt) / 1000);
    }
  };
  return {
    isRemote: images.isRemote,
    broken: images.broken,
    put: (name, bytes) => timed('put', images.put(name, bytes)),
    has: (name) => timed('look', images.has(name)),
    sizeOf: (name) => timed('look', images.sizeOf(name)),
    get: (name) => timed('get', images.get(name)),
    // Up to the first byte: the rest depends on the reader.
    open: (name, part) => timed('open', images.open(name, part)),
    remove: (name) => timed('remove', images.remove(name)),
    list: () => images.list(),
    owner: () => images.owner(),
    claim: (owner, before) => images.claim(owner, before),
    check: () => images.check(),
  };
}

export function timedImageDecoder(imageDecoder: ImageDecoder, metrics: Metrics): ImageDecoder {
  const timed = async <T extends object | undefined>(source: ImageSource, make: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let outcome: 'taken' | 'refused' | 'failed' = 'failed';
    try {
      const made = await make;
      outcome = made === undefined || 'refused' in made ? 'refused' : 'taken';
      return made;
    } finally {
      metrics.countImage(source, outcome, (performance.now() - startedAt) / 1000);
    }
  };
  return {
    fromBytes: (bytes) => timed('body', imageDecoder.fromBytes(bytes)),
    fromAddress: (address) => timed('address', imageDecoder.fromAddress(address)),
    shrink: (read, to) => timed('thumbnail', imageDecoder.shrink(read, to)),
    check: () => imageDecoder.check(),
    close: () => imageDecoder.close(),
  };
}
