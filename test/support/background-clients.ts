/**
 * Runs `work` while each client repeats its request. The clients stop when `work` settles, also if it rejects: a client that
 * never stops would block the whole test run.
 */
export async function withBackgroundClients(
  clients: readonly (() => Promise<void>)[],
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const running = clients.map(async (sendOnce) => {
    while (!isOver) await sendOnce();
  });
  const finished = work().finally(() => {
    isOver = true;
  });
  await Promise.all([finished, ...running]);
}
