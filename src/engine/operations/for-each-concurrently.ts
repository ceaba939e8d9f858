const AT_ONCE = 4;

/** Does the work for each, a few at once. After a failure nothing is begun, and what runs is waited for. */
export async function severalAtOnce<T>(each: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const todo = each[Symbol.iterator]();
  let hasFailed = false;
  const oneByOne = async (): Promise<void> => {
    for (let next = todo.next(); !next.done && !hasFailed; next = todo.next())
      await work(next.value).catch((error) => {
        hasFailed = true;
        throw error;
      });
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, oneByOne));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
