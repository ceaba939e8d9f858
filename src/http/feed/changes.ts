/** `GET /api/changes`: the change feed as pages, by long polling, or as a stream (sync.md §1). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  API_PATH,
  CHANGES_PATH,
  type ChangesQuery,
  type Cursor,
  cursorText,
  isProblem,
  type Problem,
  problem,
  readChangesQuery,
  readCursor,
  shortened,
  type WithSlot,
} from '../../engine/index.ts';
import type { FeedPage, Start } from '../../store/feed.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { isStillValid } from '../admission/authentication.ts';
import { queryOf } from '../resources/address.ts';
import { EVENT_STREAM_TYPE, JSON_TYPE } from '../responses/accept.ts';
import { noBody } from '../responses/backpressured-stream.ts';
import { sendEncoded, sendEncodedStream } from '../responses/encodings.ts';
import { documentationLink, inAddress } from '../responses/headers.ts';
import { applyPreference, contentType, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { allowLongRequest } from '../server/slow-clients.ts';
import { type LargeBody, readBody, streamBody } from './changes-body.ts';
import { shownParts } from './changes-entries.ts';
import { streamChanges } from './changes-stream.ts';
import { FeedReaders, presenceOf } from './feed-readers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The parsed query and the start of the read. */
    feed: { readonly listQuery: ChangesQuery; readonly start: Start };
  }
}

export function registerChangeFeed(
  app: FastifyInstance,
  options: HttpOptions,
  admissionControl: AdmissionControl,
): void {
  const readers = new FeedReaders(options.feedWatch, admissionControl, options.limits);
  app.decorateRequest('feed');
  // Each read takes its own slot; a waiting reader has none.
  const config = { offers: [JSON_TYPE, EVENT_STREAM_TYPE], work: 'none', readAddress } as const;
  app.get(`${API_PATH}${CHANGES_PATH}`, { config }, (request, reply) =>
    request.responseType === EVENT_STREAM_TYPE
      ? streamChanges(request, reply, options, readers)
      : respondWithPage(request, reply, { options, readers, admissionControl }),
  );
}

function readAddress(request: FastifyRequest): Problem | undefined {
  const isStream = request.responseType === EVENT_STREAM_TYPE;
  const { lenient } = request.requestContext;
  const listQuery = readChangesQuery(request.service.model, queryOf(request), { lenient, isStream });
  if (isProblem(listQuery)) return listQuery;
  const last = isStream ? request.headers['last-event-id'] : undefined;
  const start =
    typeof last === 'string' && last !== '' ? readStart(last, 'Last-Event-ID') : readStart(listQuery.after, 'after');
  if (isProblem(start)) return start;
  request.feed = { listQuery, start };
  return undefined;
}

function readStart(text: string | undefined, name: string): Start | Problem {
  if (text === undefined) return 'snapshot';
  if (text === 'now') return 'now';
  return (
    readCursor(text) ??
    problem('invalid-argument', `"${name}" must be a cursor of the feed or "now", not "${shortened(text)}".`)
  );
}

interface Feed {
  readonly options: HttpOptions;
  readonly readers: FeedReaders;
  readonly admissionControl: AdmissionControl;
}

/** Responds with a page. If it is empty, waits for changes up to the requested time. */
async function respondWithPage(request: FastifyRequest, reply: FastifyReply, feed: Feed): Promise<FastifyReply> {
  const { options, readers } = feed;
  const presence = presenceOf(reply);
  const until = performance.now() + request.feed.listQuery.waitSeconds * 1000;
  const readPage = (start: Start) =>
    readers.read(request, start, request.feed.listQuery.limit, async (page) =>
      isProblem(page) ? page : pageOf(request, options, page),
    );
  let page = await readPage(request.feed.start);
  if (isProblem(page) || page.count > 0 || performance.now() >= until) return send(request, reply, page, feed);
  const leave = readers.enter(request);
  if (isProblem(leave)) return sendProblem(reply, leave);
  try {
    while (!isProblem(page) && page.count === 0 && performance.now() < until && !readers.watch.isEnded) {
      await readers.watch.waitForChanges(page.next.position, until - performance.now(), presence);
      if (presence.aborted) return reply.hijack();
      const next = await readPage(page.next);
      // A client with other rights now gets no change. It repeats the request with the same cursor.
      if (!isProblem(next) && next.count > 0 && !(await isStillValid(request, options))) break;
      page = next;
    }
  } finally {
    leave();
  }
  return send(request, reply, page, feed);
}

interface Page {
  readonly count: number;
  readonly body: string | LargeBody;
  readonly next: Cursor;
}

async function pageOf(request: FastifyRequest, options: HttpOptions, { entries, next }: FeedPage): Promise<Page> {
  return { count: entries.length, body: await readBody(shownParts(request, options, entries)), next };
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page | Problem, feed: Feed): FastifyReply {
  if (isProblem(page)) return sendProblem(reply, page);
  const { body, next } = page;
  const leave = typeof body === 'string' ? undefined : feed.readers.enter(request, 1);
  if (isProblem(leave)) return sendProblem(reply, leave);
  const cursor = cursorText(next);
  const { baseUrl } = request.service.environment;
  reply.header('changes-cursor', cursor);
  reply.header('link', `${documentationLink(baseUrl)}, <${baseUrl}${nextAddress(request.url, cursor)}>; rel="next"`);
  reply.header('content-language', request.requestContext.language);
  applyPreference(request, reply);
  reply.header('content-type', contentType(request));
  if (typeof body === 'string') return sendEncoded(reply, body);
  const { stalledSecondsMax } = feed.options.limits;
  void allowLongRequest(request, reply, { stalledSecondsMax, countsSending: false }).then(leave);
  if (request.method === 'HEAD') return reply.send(noBody());
  return sendEncodedStream(reply, streamBody(body, partReader(request, feed)));
}

/** Reads each part of a large page in a slot of its own, while the key is valid and the server is not stopping. */
function partReader(request: FastifyRequest, { options, readers, admissionControl }: Feed): WithSlot {
  const withSlot = admissionControl.slotsFor(request, 'list');
  return async (read) => {
    if (readers.watch.isEnded) throw new Error('The server is stopping.');
    if (!(await isStillValid(request, options))) throw new Error('The key is no longer valid.');
    return withSlot(read);
  };
}

/** The same URL with the next cursor. */
function nextAddress(url: string, cursor: string): string {
  const [path, ...rest] = url.split('?');
  const others = rest
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && decodeURIComponent(pair.split('=')[0]!) !== 'after');
  return inAddress(`${path}?${[...others, `after=${cursor}`].join('&')}`);
}
