/** An export whose moment lasts for as long as somebody reads its records. */
import { type Export, isProblem, type Problem } from '../../engine/index.ts';
import type { Exported, Shown } from './store-api.ts';

type Within = (work: (all: Export) => Promise<undefined>) => Promise<undefined | Problem>;

/** @param within runs its work inside the moment */
export async function recordsOf(within: Within): Promise<Exported> {
  const begun = Promise.withResolvers<Export>();
  const over = Promise.withResolvers<void>();
  const moment = within(async (all) => {
    begun.resolve(all);
    await over.promise;
    return undefined;
  }).then((outcome) => {
    if (isProblem(outcome)) throw new Error(outcome.detail);
  });
  moment.catch(begun.reject);
  const { total, parts } = await begun.promise;
  return { total, records: records(parts, over.resolve, moment) };
}

async function* records(parts: Export['parts'], end: () => void, moment: Promise<void>): AsyncGenerator<Shown> {
  try {
    for await (const part of parts) yield* part;
  } finally {
    end();
    await moment;
  }
}
