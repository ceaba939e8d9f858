/** Runs a server until a signal or a fatal store error ends it. */
import type { Config } from '../wiring/settings/index.ts';
import type { RunningServer } from './serve.ts';
import { watchLoop } from './watchdog.ts';

/** Requests that still run after this time are cut off. */
const STOP_TIMEOUT_MS = 15_000;

/**
 * Stops the server on SIGTERM and SIGINT, even during its start, then exits 0. A second signal, or a stop that takes
 * longer than `STOP_TIMEOUT_MS`, ends the process immediately. SIGHUP renews the workers; on a terminal or without
 * workers it ends the process, as is the default. A fatal store error stops the server in the same way, so that running
 * requests get a response, but exits 1: a supervisor restarts it.
 */
export async function runUntilSignal(starting: Promise<RunningServer>, config: Config, isTTY: boolean): Promise<void> {
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
