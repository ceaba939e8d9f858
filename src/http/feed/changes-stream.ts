/**
 * The feed as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): each entry is an event. Its id
 * is the cursor, which the client sends as `Last-Event-ID` when it reconnects.
 */
import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Cursor, cursorText, FIRST_PART_SIZE, isProblem, nextPartSize, type Problem } from '../../engine/index.ts';
import type { Start } from '../../store/feed.ts';
import { isStillValid } from '../admission/authentication.ts';
import { EVENT_STREAM_TYPE } from '../responses/accept.ts';
import { joined } from '../responses/backpressured-stream.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { shownPart } from './changes-entries.ts';
import { type FeedReaders, presenceOf } from './feed-readers.ts';

/** Interval of keep-alive comments. */
const COMMENT_MS = 15_000;

/** Reconnection delay of clients. */
const RETRY_MS = 1000;

/** Delay before the next read if the server is overloaded. */
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
    const { listQuery, start } = request.feed;
    const limit = listQuery.withRecords ? FIRST_PART_SIZE : listQuery.limit;
    const first = await readEvents(request, options, readers, { next: start, limit });
    if (isProblem(first)) return sendProblem(reply, first);
    reply.hijack();
    begin(reply);
    // The retry field comes first, so that a client that is disconnected before the first event knows it.
    const texts = first.isCut ? first.texts : [...first.texts, caughtUp(first)];
    await write(reply, [`retry: ${RETRY_MS}\n\n`, ...texts], presence);
    if (request.method !== 'HEAD')
      await follow(request, reply, { options, readers, presence, first }).catch((error) =>
        request.log.warn({ err: error }, 'change stream aborted'),
      );
    reply.raw.end();
    return reply;
  } finally {
    leave();
  }
}

function begin(reply: FastifyReply): void {
  const headers = reply.getHeaders();
  // A proxy that buffers responses would delay every event.
  reply.raw.writeHead(200, { ...headers, 'content-type': EVENT_STREAM_TYPE, 'x-accel-buffering': 'no' } as never);
}

interface Following {
  readonly options: HttpOptions;
  readonly readers: FeedReaders;
  readonly presence: AbortSignal;
  readonly first: Events;
}

/** A page of the feed as texts. */
interface Events {
  readonly texts: readonly string[];
  readonly next: Cursor;
  /** There may be more entries. */
  readonly isCut: boolean;
  /** Maximum number of entries of the next page. */
  readonly limit: number;
}

async function follow(
  request: FastifyRequest,
  reply: FastifyReply,
  { options, readers, presence, first }: Following,
): Promise<void> {
  let last = first;
  let isCaughtUp = !first.isCut;
  let sentAt = performance.now();
  const isOver = (): boolean => presence.aborted || readers.watch.isEnded;
  while (!isOver()) {
    const restMs = Math.max(0, sentAt + COMMENT_MS - performance.now());
    if (!last.isCut) await readers.watch.waitForChanges(last.next.position, restMs, presence);
    if (isOver()) return;
    const events = await readEvents(request, options, readers, last);
    if (isProblem(events)) {
      // The client reconnects and gets the problem as response.
      if (events.problem !== 'service-unavailable') return;
      await readers.watch.sleep(BUSY_MS, presence);
      continue;
    }
    last = events;
    const texts = isCaughtUp || events.isCut ? events.texts : [...events.texts, caughtUp(events)];
    isCaughtUp ||= !events.isCut;
    const isSilent = texts.length === 0;
    if (isSilent && performance.now() - sentAt < COMMENT_MS) continue;
    // The check follows the read, so that no change is sent that was committed after the client had lost its rights.
    if (!(await isStillValid(request, options))) return;
    // If no entry matches for a while, the comment's id lets the client continue from here.
    await write(reply, isSilent ? [`: nothing new\n${idOf(events)}`] : texts, presence);
    sentAt = performance.now();
  }
}

/** Reads the next page as events. Pages with large records have fewer entries. */
function readEvents(
  request: FastifyRequest,
  options: HttpOptions,
  readers: FeedReaders,
  { next, limit }: { readonly next: Start; readonly limit: number },
): Promise<Events | Problem> {
  return readers.read(request, next, limit, async (page) => {
    if (isProblem(page)) return page;
    const { shown, lengths } = await shownPart(request, options, page.entries);
    const isPart = shown.length < page.entries.length;
    return {
      texts: shown.map(({ cursor, json }) => `id: ${cursorText(cursor)}\ndata: ${json}\n\n`),
      next: isPart ? shown.at(-1)!.cursor : page.next,
      isCut: isPart || page.entries.length === limit,
      limit: request.feed.listQuery.withRecords ? nextPartSize(limit, lengths) : limit,
    };
  });
}

function idOf({ next }: Events): string {
  return `id: ${cursorText(next)}\n\n`;
}

/** The event that is sent once when all existing entries have been sent. */
function caughtUp({ next }: Events): string {
  const cursor = cursorText(next);
  return `event: caught_up\nid: ${cursor}\ndata: ${JSON.stringify({ cursor })}\n\n`;
}

/** Resolves when the client can take more, or has disconnected. */
async function write({ raw }: FastifyReply, texts: readonly string[], presence: AbortSignal): Promise<void> {
  for (const part of joined(texts)) {
    if (presence.aborted) return;
    if (!raw.write(part)) await once(raw, 'drain', { signal: presence }).catch(() => {});
  }
}
