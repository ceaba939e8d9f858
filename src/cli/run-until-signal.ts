/** Runs a server until a signal, or a store that broke, ends it. */
import type { Config } from '../wiring/config.ts';
import type { RunningServer } from './serve.ts';
import { watchLoop } from './watchdog.ts';

/** Requests that still run after this long are cut off. */
const STOP_TIMEOUT_MS = 15_000;

/**
 * Stops the server on SIGTERM and SIGINT, also while it starts, then exits 0; a second signal or a hang ends it at once.
 * SIGHUP renews a server that can be; where a person's terminal goes, or nothing can be renewed, it ends the process as ever.
 * A store that broke is stopped likewise, so that what runs is still answered, but exits 1: a supervisor starts it again.
 */
export async function runUntilDue(starting: Promise<RunningServer>, config: Config, isTTY: boolean): Promise<void> {
  let isStopping = false;
  let code = 0;
  const stop = (): void => {
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    const stopped = starting.then((server) => server.stop());
    stopped.then(
      () => process.exit(code),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  const stopOrEnd = (): void => (isStopping ? process.exit(1) : stop());
  process.on('SIGTERM', stopOrEnd);
  process.on('SIGINT', stopOrEnd);
  const server = await starting;
  if (server.renew && !isTTY)
    process.on('SIGHUP', () => {
      if (!isStopping) server.renew!();
    });
  watchLoop(config);
  server.broken.then(({ message }) => {
    console.error(message);
    code = 1;
    if (!isStopping) stop();
  });
}
