/** Turns the engine's callback export into an async iterable. Its snapshot stays open until the caller stops reading. */
import { type Export, isProblem, type Problem } from '../../engine/index.ts';
import type { ApiRecord, Exported } from './store-api.ts';

type RunInSnapshot = (work: (all: Export) => Promise<undefined>) => Promise<undefined | Problem>;

/** @param runInSnapshot runs its callback within one snapshot of the store */
export async function openExport(runInSnapshot: RunInSnapshot): Promise<Exported> {
  const opened = Promise.withResolvers<Export>();
  const finished = Promise.withResolvers<void>();
  const snapshot = runInSnapshot(async (all) => {
    opened.resolve(all);
    await finished.promise;
    return undefined;
  }).then((outcome) => {
    if (isProblem(outcome)) throw new Error(outcome.detail);
  });
  snapshot.catch(opened.reject);
  const { total, parts } = await opened.promise;
  return { total, records: records(parts, finished.resolve, snapshot) };
}

async function* records(
  parts: Export['parts'],
  finish: () => void,
  snapshot: Promise<void>,
): AsyncGenerator<ApiRecord> {
  try {
    for await (const part of parts) yield* part;
  } finally {
    finish();
    await snapshot;
  }
}
