/** Bulks in one transaction: with `atomic` all lines or none are saved, with `dry_run` none. */
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import {
  type BulkOutcome,
  isProblem,
  Problem,
  problem,
  validationFailed,
  writeAtomically,
} from '../../engine/index.ts';
import { type JsonLine, LineReader } from '../../store/json-lines.ts';
import { unauthorized } from '../admission/authentication.ts';
import { type Attempt, respondOnce, type WriteResponse } from '../resources/idempotency.ts';
import { sendProblem } from '../responses/response.ts';
import { type Bulk, REVOKED, readTask } from './bulk.ts';
import { incomingWhole, tooMuch } from './incoming.ts';
import { type ReadLine, Results } from './results.ts';

const LINES_MAX = 10_000;
const BYTES_MAX = 33_554_432;

/** The transaction blocks other writes for at most this time. */
const WRITING_MS_MAX = 5_000;

/** After this time, the loop yields to other requests. */
const UNBROKEN_MS_MAX = 8;

/** Bytes parsed between two checks of the clock. */
const PART_BYTES = 65_536;

const FAILURES_SHOWN_MAX = 100;

export async function respondAtOnce(bulk: Bulk): Promise<FastifyReply> {
  const { request, reply, bodyLimits } = bulk;
  const bytes = await incomingWhole(request.body as IncomingMessage, BYTES_MAX, bodyLimits);
  if (!(await bulk.isStillValid())) return sendProblem(reply, unauthorized(REVOKED));
  // The idempotency fingerprint includes the body.
  request.body = bytes;
  const reader = new LineReader();
  const lines: ReadLine[] = [];
  const rest = breaks();
  for (const part of partsOf(bytes, reader)) {
    for (const line of part) {
      if (lines.length === LINES_MAX) return sendProblem(reply, tooMuch(`has more than ${LINES_MAX} lines`));
      lines.push(readTask(bulk, line));
      await rest();
    }
    await rest();
  }
  const { releaseSlotDuring } = bulk;
  return respondOnce(request, reply, { releaseSlotDuring }, (attempt) => write(bulk, lines, reader.empty, attempt));
}

/** Parses the body in parts, between which the loop can yield. */
function* partsOf(bytes: Buffer, reader: LineReader): Generator<Iterable<JsonLine>> {
  for (let from = 0; from < bytes.length; from += PART_BYTES)
    yield reader.read(bytes.subarray(from, from + PART_BYTES));
  yield reader.end();
}

async function write(bulk: Bulk, lines: ReadLine[], empty: number, attempt: Attempt): Promise<WriteResponse | Problem> {
  const { request, requestOptions, withSlot, form } = bulk;
  const { isAtomic, isTrial } = request.bulk;
  const tasks = lines.map(({ task }) => task);
  const all = isAtomic ? withoutTwice(lines, form.by.name) : tasks;
  const responseTo = (outcomes: readonly BulkOutcome[]): WriteResponse | Problem => {
    const results = new Results(request, form.by);
    if (isAtomic && outcomes.some(isProblem)) return refused(lines, outcomes, results);
    const body = outcomes.map((outcome, index) => results.formatLine(lines[index]!, outcome)).join('');
    const headers = { 'content-language': request.requestContext.language };
    return { status: 200, body: body + results.summary(empty), etag: '', headers };
  };
  const options = { isTrial, withSlot, checkpoint: pacemaker() };
  return writeAtomically(request.service, requestOptions, all, options, async (unit, writeLines) => {
    const completed = await attempt.begin(unit);
    if (completed) return completed;
    const outcomes = await writeLines();
    if (isProblem(outcomes)) return outcomes;
    const response = responseTo(outcomes);
    if (!isProblem(response)) await attempt.complete(unit, response);
    return response;
  });
}

/** Rejects lines that name a record of an earlier line: an atomic bulk has no order of lines. */
function withoutTwice(lines: readonly ReadLine[], field: string): ReadLine['task'][] {
  const first = new Map<string, number>();
  return lines.map(({ task, number }) => {
    if (isProblem(task)) return task;
    const earlier = task.names.map((name) => first.get(name)).find((line) => line !== undefined);
    for (const name of task.names) if (!first.has(name)) first.set(name, number);
    if (earlier === undefined) return task;
    const message = `Line ${earlier} already names this record. With “atomic” each record may be named once.`;
    return validationFailed([{ propertyPath: field, code: 'not_unique', message }]);
  });
}

function refused(lines: readonly ReadLine[], outcomes: readonly BulkOutcome[], results: Results): Problem {
  const failures = outcomes.flatMap((outcome, index) =>
    isProblem(outcome) ? [results.resultOf(lines[index]!, outcome)] : [],
  );
  const left = failures.length - FAILURES_SHOWN_MAX;
  const more = { lines: failures.slice(0, FAILURES_SHOWN_MAX), ...(left > 0 ? { lines_omitted: left } : {}) };
  const { line } = failures[0]!;
  const rest = failures.length === 1 ? '' : `, and ${failures.length - 1} more`;
  return new Problem('lines-refused', `Line ${line} was rejected${rest}. No line was saved.`, { more });
}

/** Yields to other requests between lines, and ends the bulk if it writes for too long. */
function pacemaker(): () => Promise<Problem | undefined> {
  let startedAt: number | undefined;
  const rest = breaks();
  return async () => {
    startedAt ??= performance.now();
    if (performance.now() - startedAt > WRITING_MS_MAX)
      return problem('service-unavailable', 'Writing the lines takes too long. Send fewer lines, or retry later.', {
        'retry-after': '10',
      });
    await rest();
    return undefined;
  };
}

/** Yields to the event loop if that is due. */
function breaks(): () => Promise<void> {
  let yieldedAt = performance.now();
  return async () => {
    if (performance.now() - yieldedAt < UNBROKEN_MS_MAX) return;
    await nextTurn();
    yieldedAt = performance.now();
  };
}
