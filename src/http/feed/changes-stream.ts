/**
 * The feed as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): an event is an entry, and its
 * id the cursor, which the client sends as `Last-Event-ID` when it comes again.
 */
import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cursor, cursorText, isProblem, type Problem } from '../../engine/index.ts';
import type { Start } from '../../store/feed.ts';
import { isStillRight } from '../admission/authentication.ts';
import { EVENT_STREAM_TYPE } from '../responses/accept.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { shownEntries } from './changes-entries.ts';
import { type FeedReaders, presenceOf } from './feed-readers.ts';

/** A silent stream shows this often that it lives, and every one looks this often whether its key is still there. */
const COMMENT_MS = 15_000;

/** A client that was cut off comes again after so long. */
const RETRY_MS = 1000;

/** The wait where there is too much to do. */
const BUSY_MS = 1000;

export async function streamChanges(
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  readers: FeedReaders,
): Promise<FastifyReply> {
  const leave = readers.enter(request);
  if (isProblem(leave)) return sendProblem(reply, leave);
  const presence = presenceOf(reply);
  try {
    const first = await readEvents(request, options, readers, request.feed.start);
    if (isProblem(first)) return sendProblem(reply, first);
    reply.hijack();
    begin(reply);
    // A client that is cut off before the first event comes again from here.
    const told = first.isCut ? first.text : first.text + caughtUp(first);
    await write(reply, `retry: ${RETRY_MS}\n\n${told}`, presence);
    if (request.method !== 'HEAD')
      await goOn(request, reply, { options, readers, presence, first }).catch((error) =>
        request.log.warn({ err: error }, 'a stream of changes could not go on'),
      );
    reply.raw.end();
    return reply;
  } finally {
    leave();
  }
}

function begin(reply: FastifyReply): void {
  const headers = reply.getHeaders();
  // A proxy that gathers an answer before it passes it on would hold back every event.
  reply.raw.writeHead(200, { ...headers, 'content-type': EVENT_STREAM_TYPE, 'x-accel-buffering': 'no' } as never);
}

interface Following {
  readonly options: HttpOptions;
  readonly readers: FeedReaders;
  readonly presence: AbortSignal;
  readonly first: Events;
}

/** A page of the feed as text. */
interface Events {
  readonly text: string;
  readonly next: Cursor;
  /** It has as many entries as fit, so that more may be there already. */
  readonly isCut: boolean;
}

async function goOn(
  request: FastifyRequest,
  reply: FastifyReply,
  { options, readers, presence, first }: Following,
): Promise<void> {
  let last = first;
  let isCaughtUp = !first.isCut;
  let [saidAt, provedAt] = [performance.now(), performance.now()];
  const isOver = (): boolean => presence.aborted || readers.watch.isEnded;
  while (!isOver()) {
    const restMs = Math.max(0, Math.min(saidAt, provedAt) + COMMENT_MS - performance.now());
    if (!last.isCut) await readers.watch.waitForChanges(last.next.position, restMs, presence);
    if (isOver()) return;
    if (performance.now() - provedAt >= COMMENT_MS) {
      if (!(await isStillRight(request, options))) return;
      provedAt = performance.now();
    }
    const events = await readEvents(request, options, readers, last.next);
    if (isProblem(events)) {
      // The client comes again, and is told what is wrong.
      if (events.problem !== 'service-unavailable') return;
      await readers.watch.pause(BUSY_MS, presence);
      continue;
    }
    last = events;
    const text = isCaughtUp || events.isCut ? events.text : events.text + caughtUp(events);
    isCaughtUp ||= !events.isCut;
    const isSilent = text === '';
    if (isSilent && performance.now() - saidAt < COMMENT_MS) continue;
    // Where the wanted resources are rare, the client comes again from the place in the comment.
    await write(reply, isSilent ? `: nothing new\n${idOf(events)}` : text, presence);
    saidAt = performance.now();
  }
}

/** The next page as events. */
function readEvents(
  request: FastifyRequest,
  options: HttpOptions,
  readers: FeedReaders,
  start: Start,
): Promise<Events | Problem> {
  return readers.read(request, start, async (page) => {
    if (isProblem(page)) return page;
    const entries = await shownEntries(request, options, page.entries);
    const text = entries.map(({ cursor, json }) => `id: ${cursor}\ndata: ${json}\n\n`).join('');
    return { text, next: page.next, isCut: entries.length === request.feed.listQuery.limit };
  });
}

function idOf({ next }: Events): string {
  return `id: ${cursorText(next)}\n\n`;
}

/** Tells once that all there was has been told: behind it comes what changes from then on. */
function caughtUp({ next }: Events): string {
  const cursor = cursorText(next);
  return `event: caught_up\nid: ${cursor}\ndata: ${JSON.stringify({ cursor })}\n\n`;
}

/** Resolves when the client has taken it, or has gone. */
async function write({ raw }: FastifyReply, text: string, presence: AbortSignal): Promise<void> {
  if (presence.aborted || raw.write(text)) return;
  await once(raw, 'drain', { signal: presence }).catch(() => {});
}
