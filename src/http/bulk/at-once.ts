/** Answers a bulk that is written at once: with `atomic` all lines or none, with `dry_run` as it would be. */
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
import { type Attempt, respondOnce, type WriteResponse } from '../resources/idempotency.ts';
import { sendProblem } from '../responses/response.ts';
import { type Bulk, readTask } from './bulk.ts';
import { incomingWhole, tooMuch } from './incoming.ts';
import { type ReadLine, Results } from './results.ts';

const LINES_MAX = 10_000;
const BYTES_MAX = 33_554_432;

/** Nobody else can write for so long. */
const WRITING_MS_MAX = 5_000;

/** Others read meanwhile. */
const UNBROKEN_MS_MAX = 8;

/** Read between two looks at the clock. */
const PART_BYTES = 65_536;

const FAILURES_SHOWN_MAX = 100;

export async function answerAtOnce(bulk: Bulk): Promise<FastifyReply> {
  const { request, reply, patience } = bulk;
  const bytes = await incomingWhole(request.body as IncomingMessage, BYTES_MAX, patience);
  // A request that is sent again is known by it.
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

/** Lines of a whole body, with places for a rest where they are empty. */
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

/** Lines that name one record twice have no order in a unit that is all or nothing. */
function withoutTwice(lines: readonly ReadLine[], field: string): ReadLine['task'][] {
  const first = new Map<string, number>();
  return lines.map(({ task, number }) => {
    if (isProblem(task)) return task;
    const earlier = task.names.map((name) => first.get(name)).find((line) => line !== undefined);
    for (const name of task.names) if (!first.has(name)) first.set(name, number);
    if (earlier === undefined) return task;
    const message = `Line ${earlier} names this record already; with “atomic” each is named once.`;
    return validationFailed([{ propertyPath: field, code: 'not_unique', message }]);
  });
}

function refused(lines: readonly ReadLine[], outcomes: readonly BulkOutcome[], results: Results): Problem {
  const told = outcomes.flatMap((outcome, index) =>
    isProblem(outcome) ? [results.resultOf(lines[index]!, outcome)] : [],
  );
  const left = told.length - FAILURES_SHOWN_MAX;
  const more = { lines: told.slice(0, FAILURES_SHOWN_MAX), ...(left > 0 ? { lines_omitted: left } : {}) };
  const { line } = told[0]!;
  const rest = told.length === 1 ? '' : `, and ${told.length - 1} more`;
  return new Problem('lines-refused', `Line ${line} is refused${rest}; nothing was saved.`, { more });
}

/** Lets others read between lines, and ends what writes for too long. */
function pacemaker(): () => Promise<Problem | undefined> {
  let startedAt: number | undefined;
  const rest = breaks();
  return async () => {
    startedAt ??= performance.now();
    if (performance.now() - startedAt > WRITING_MS_MAX)
      return problem('service-unavailable', 'The lines take too long to write at once; send fewer, or later.', {
        'retry-after': '10',
      });
    await rest();
    return undefined;
  };
}

/** Lets others have their turn where that is due. */
function breaks(): () => Promise<void> {
  let restedAt = performance.now();
  return async () => {
    if (performance.now() - restedAt < UNBROKEN_MS_MAX) return;
    await nextTurn();
    restedAt = performance.now();
  };
}
