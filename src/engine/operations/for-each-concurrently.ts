const CONCURRENCY = 4;

/** Runs the work for each element with limited concurrency. After a failure it starts no more and awaits the rest. */
export async function forEachConcurrently<T>(each: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const remaining = each[Symbol.iterator]();
  let hasFailed = false;
  const runNext = async (): Promise<void> => {
    for (let next = remaining.next(); !next.done && !hasFailed; next = remaining.next())
      await work(next.value).catch((error) => {
        hasFailed = true;
        throw error;
      });
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runNext));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
