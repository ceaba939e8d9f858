/**
 * The thread of the watchdog. Asks nothing of the loop that it watches: even its log goes past it, and is not waited for,
 * as a reader of the log that has stopped may be what the loop waits for.
 */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { BEAT_MS, type Watch } from './watchdog.ts';

const { beats, blockedLogSeconds, blockedExitSeconds, logLevel } = workerData as Watch;
const log = pino({ level: logLevel }, pino.destination({ dest: 1, sync: false }));

let seen = -1;
/**
 * Ticks of this thread without a beat of the loop. A process that was stopped, or a machine that slept, stops them too, so
 * neither is taken for a loop that hangs.
 */
let missed = 0;

setInterval(() => {
  const count = Atomics.load(beats, 0);
  missed = count === seen ? missed + 1 : 0;
  seen = count;
  if (hasMissed(blockedLogSeconds)) {
    log.error(`The event loop has stood still for ${blockedLogSeconds} s: nothing is answered.`);
    reportLocation();
  }
  if (hasMissed(blockedExitSeconds))
    log.fatal(`The event loop has stood still for ${blockedExitSeconds} s, so the process is ended.`);
  // A tick later, for the line to be written. No handler runs in a process whose loop stands still: only SIGKILL ends it.
  if (hasMissed(blockedExitSeconds, 1)) process.kill(process.pid, 'SIGKILL');
}, BEAT_MS);

function hasMissed(seconds: number, more = 0): boolean {
  return seconds > 0 && missed === Math.ceil((seconds * 1000) / BEAT_MS) + more;
}

/** At once where JavaScript runs; where a statement or a call of the system does, as soon as it returns. */
function reportLocation(): void {
  const session = new Session();
  session.connectToMainThread();
  session.once('Debugger.paused', ({ params }) => {
    const { callFrameId } = params.callFrames[0]!;
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'new Error().stack' }, (_error, answer) => {
      log.error({ stack: answer?.result.value }, 'Here the event loop stood still.');
      session.disconnect();
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}
