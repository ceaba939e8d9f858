/**
 * Plays what is given while each client takes one turn after the other. The clients end with the play, however that ends: a
 * client that goes on for ever would keep the whole run from ending.
 */
export async function beside(clients: readonly (() => Promise<void>)[], play: () => Promise<void>): Promise<void> {
  let isOver = false;
  const running = clients.map(async (takeTurn) => {
    while (!isOver) await takeTurn();
  });
  const played = play().finally(() => {
    isOver = true;
  });
  await Promise.all([played, ...running]);
}
