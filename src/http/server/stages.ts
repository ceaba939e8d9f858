/**
 * The stages of a request as Fastify hooks. Hooks of one kind run in the order of their registration, which `server.ts`
 * decides; Fastify's order of the kinds is onRequest, body parser, preHandler, handler, onSend.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problem } from '../../engine/index.ts';
import { ADMIN_PATH, leadsToAdmin } from '../admin/routes.ts';
import { admit, bodyLimitOf, checkForm } from '../admission/admission.ts';
import { isUpload } from '../admission/admission-control.ts';
import { isStillValid, unauthorized } from '../admission/authentication.ts';
import { readForm } from '../resources/multipart-form.ts';
import { isForm, readBody } from '../resources/request-body.ts';
import { isOfAdminPage, isOfStorefront, PREFLIGHT_HEADERS, setCommonHeaders } from '../responses/headers.ts';
import { prepareProblem, sendProblem } from '../responses/response.ts';
import { preflight } from '../storefront/cors.ts';
import { identify, type ServerParts } from './app.ts';
import type { HttpOptions } from './context.ts';
import { problemOf } from './failures.ts';
import { inOrder } from './request-ordering.ts';
import { timeWork, wantsTiming } from './server-timing.ts';
import { bodyArrived, expectBody, isLastOnConnection, waitedMs } from './slow-clients.ts';
import { redirectWithoutSlash } from './trailing-slash.ts';

/** Declares the members that the stages add to a request, so that all requests have the same shape. */
export function registerRequestMembers({ app }: ServerParts): void {
  for (const name of ['requestContext', 'address', 'bulk', 'queue', 'service', 'hostProblem', 'shopQuery', 'shopper'])
    app.decorateRequest(name);
  app.decorateRequest('responseType', '');
  app.decorateRequest('namesLanguage', false);
}

/** Reads bodies: forms in parts, JSON whole. The handlers of bulks read their lines themselves. */
export function registerBodyParser({ app, admissionControl }: ServerParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const { form, takesLines } = request.routeOptions.config;
    if (takesLines) {
      done(null, payload);
      return;
    }
    if (form && isForm(request.headers['content-type']))
      readForm(payload, request.headers, { ...form, bytesMax: bodyLimitOf(request) }, done);
    else readBody(request, payload, admissionControl, done);
  });
}

/** First stage: base URL, metrics, log, request id and trace. */
export function registerObservation(parts: ServerParts): void {
  parts.app.addHook('onRequest', (request, reply, done) => {
    identify(request, reply, parts);
    done();
  });
}

/** Waits for earlier requests of the connection and for a slot, or responds with 503. */
export function registerQueue({ app, admissionControl }: ServerParts): void {
  app.addHook('onRequest', (request, reply, done) =>
    inOrder(request.raw, reply.raw, () => admissionControl.begin(request, reply, done)),
  );
}

/** Runs the checks of `admission.ts`, before any byte of the body is read. */
export function registerAdmission(parts: ServerParts): void {
  const { app, options, admission, backlog } = parts;
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(request, reply);
    if (await respondWithoutKey(request, reply, options)) return reply;
    const admitted = await admit(request, reply, options, admission);
    // Building the response would take memory too.
    const isFull = !request.routeOptions.config.ignoresBacklog && backlog.isFull;
    const rejection = admitted ?? (isFull ? backlogFull() : undefined);
    if (request.requestContext) noteAuthenticated(request, rejection === undefined, parts);
    // A client that waits for "100 Continue" (RFC 9110 §10.1.1) sends its body only after admission.
    const waits = request.headers.expect !== undefined;
    if (waits && rejection) reply.header('connection', 'close');
    if (waits && !rejection) reply.raw.writeContinue();
    if (rejection) return sendProblem(reply, rejection);
    if (wantsTiming(request.headers.prefer)) timeWork(request, reply);
    awaitBody(request, reply, parts);
  });
}

/** Sets the headers of a response to a preflight request, or rejects it. */
async function allowPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { cacheValidator, service }: HttpOptions,
): Promise<Problem | undefined> {
  if (isOfStorefront(request))
    return preflight(request, reply, async () => (await cacheValidator.check()).keys, service.clock.now());
  if (!isOfAdminPage(request)) reply.headers(PREFLIGHT_HEADERS);
  return undefined;
}

/** Responds to preflight requests, redirects and disabled paths, which need no key. @returns whether it has responded */
async function respondWithoutKey(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<boolean> {
  if (isOfStorefront(request) && !options.storefront) {
    sendProblem(reply, problem('not-found', 'The storefront is disabled. The operator of the store can enable it.'));
    return true;
  }
  if (request.method === 'OPTIONS') {
    const rejected = await allowPreflight(request, reply, options);
    if (rejected) sendProblem(reply, rejected);
    else reply.code(204).send();
    return true;
  }
  if (leadsToAdmin(request, options)) {
    reply.redirect(ADMIN_PATH, 303);
    return true;
  }
  const withoutSlash = redirectWithoutSlash(request);
  if (withoutSlash === undefined || checkForm(request, options.limits)) return false;
  // Without a host, because BASE_URL may not be set, and clients reach the server under other names too.
  const { pathname } = new URL(request.service.environment.baseUrl);
  reply.redirect(pathname.replace(/\/$/, '') + withoutSlash, 308);
  return true;
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  if (request.routeOptions.config.negotiates === false) reply.removeHeader('vary');
  if (isLastOnConnection(reply)) reply.header('connection', 'close');
}

/** Only requests with a valid key get here: a request to a public path does not identify its client. */
function noteAuthenticated(
  request: FastifyRequest,
  isAdmitted: boolean,
  { addresses, admissionControl }: ServerParts,
): void {
  admissionControl.rememberValidKey(request);
  // A publishable key is public, so its requests may name any host.
  if (isAdmitted && !isOfStorefront(request)) addresses.remember(request);
}

/** Releases the slot of a write until its body has arrived, and limits the time for that. */
function awaitBody(request: FastifyRequest, reply: FastifyReply, { options, admissionControl }: ServerParts): void {
  const { takesBody, takesLines } = request.routeOptions.config;
  if (!takesBody || takesLines) return;
  const { uploadSecondsMax, bodySecondsMax } = options.limits;
  admissionControl.awaitBody(request);
  expectBody(request, reply, isUpload(request) ? uploadSecondsMax : bodySecondsMax);
}

/** After a longer wait for its body, a request is checked again: its key may have been revoked meanwhile. */
const LATE_BODY_MS = 100;
const REVOKED =
  'The key or session became invalid, or its rights changed, while the body arrived. Retry with a valid one.';

/** What a missing body means if no input is required. */
const EMPTY_OBJECT = Buffer.from('{}');

/** Waits for a slot again when the body has arrived. */
export function registerBodyArrival({ app, options, admissionControl }: ServerParts): void {
  app.addHook('preHandler', (request, reply, done) => {
    bodyArrived(request);
    const isEmpty = !(request.body as Buffer | undefined)?.length;
    if (request.routeOptions.config.needsNoBody && isEmpty) request.body = EMPTY_OBJECT;
    admissionControl.resume(request, reply, () => {
      if (!request.requestContext || waitedMs(request) < LATE_BODY_MS) return done();
      const decide = (isValid: boolean): void => {
        if (isValid) done();
        else sendProblem(reply, unauthorized(REVOKED));
      };
      isStillValid(request, options).then(decide, done);
    });
  });
}

/** Releases the slot when the response is complete, before it is sent. */
export function registerSlotRelease({ app, admissionControl }: ServerParts): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    admissionControl.responseReady(request);
    done(null, payload);
  });
}

/** Headers that do not describe the body. */
const GENERAL_HEADERS = new Set(['connection', 'ratelimit', 'ratelimit-policy', 'x-request-id', 'traceresponse']);

/** Rejects a response that does not fit into the memory for unread responses. That of a committed write is always sent. */
export function registerBacklogLimit({ app, backlog }: ServerParts): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { onlyReads, ignoresBacklog } = request.routeOptions.config;
    const isRejectable = (request.method === 'GET' || onlyReads) && !ignoresBacklog && reply.statusCode < 400;
    // A stream hands over no more than the client reads.
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isRejectable || !isWhole || backlog.fits(payload)) return done(null, payload);
    for (const name of Object.keys(reply.getHeaders())) if (!GENERAL_HEADERS.has(name)) reply.removeHeader(name);
    setHeaders(request, reply);
    done(null, prepareProblem(reply, backlogFull()));
  });
}

function backlogFull(): Problem {
  return problem('service-unavailable', 'Clients have not read earlier responses yet. Retry in 5 seconds.', {
    'retry-after': '5',
  });
}

/** Turns errors into problems. Unknown paths were already rejected by admission. */
export function registerErrors({ app }: ServerParts): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(reply, problemOf(error, request)));
  app.setNotFoundHandler((_request, reply) => reply);
}
