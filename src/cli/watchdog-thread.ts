/**
 * The watchdog's thread. It depends on nothing of the event loop that it watches. It writes its own log without
 * waiting, because the loop may be blocked by a reader of the log that has stopped reading.
 */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { BEAT_MS, type Watch } from './watchdog.ts';

const { beats, blockedLogSeconds, blockedExitSeconds, logLevel } = workerData as Watch;
const log = pino({ level: logLevel }, pino.destination({ dest: 1, sync: false }));

let lastCount = -1;
/**
 * Consecutive ticks of this thread without a beat of the loop. A stopped process or a sleeping machine stops these
 * ticks too, so neither is mistaken for a blocked loop.
 */
let missed = 0;

setInterval(() => {
  const count = Atomics.load(beats, 0);
  missed = count === lastCount ? missed + 1 : 0;
  lastCount = count;
  if (hasMissed(blockedLogSeconds)) {
    log.error(`The event loop has been blocked for ${blockedLogSeconds} s; no requests are handled.`);
    reportLocation();
  }
  if (hasMissed(blockedExitSeconds))
    log.fatal(`The event loop has been blocked for ${blockedExitSeconds} s; the process is ended.`);
  // One tick later, so that the line is written. A blocked process runs no signal handlers: only SIGKILL ends it.
  if (hasMissed(blockedExitSeconds, 1)) process.kill(process.pid, 'SIGKILL');
}, BEAT_MS);

function hasMissed(seconds: number, more = 0): boolean {
  return seconds > 0 && missed === Math.ceil((seconds * 1000) / BEAT_MS) + more;
}

/** Logs the stack immediately if JavaScript is running; after a blocking statement or system call, when it returns. */
function reportLocation(): void {
  const session = new Session();
  session.connectToMainThread();
  session.once('Debugger.paused', ({ params }) => {
    const { callFrameId } = params.callFrames[0]!;
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'new Error().stack' }, (_error, reply) => {
      log.error({ stack: reply?.result.value }, 'The event loop was blocked at this stack.');
      session.disconnect();
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}
