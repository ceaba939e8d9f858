/** `/admin`: the admin page and its files; and `/`, which redirects browsers to it (http.md §20). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problem, problemTypes } from '../../engine/index.ts';
import { rejectionPage } from '../reference/problem-pages.ts';
import { sendPublicFile } from '../reference/public-files.ts';
import { REFERENCE_FILES_PATH } from '../reference/routes.ts';
import { negotiate, PROBLEM_TYPE } from '../responses/accept.ts';
import { sendProblem } from '../responses/response.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import { adminDocument, newNonce, policyFor } from './document.ts';
import { BuiltFiles } from './files.ts';
import { originOf, rejectPlainHttp } from './own-page.ts';
import { registerSessionRoutes, SESSION_PATH, type SignInLimits } from './session.ts';

export const ADMIN_PATH = '/admin';

/** The names of these files contain a digest of their content. */
const HASHED = /^assets\//;

const PAGE_HEADERS = {
  vary: 'Accept',
  'cache-control': 'private, no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

const config = { isPublic: true, negotiates: false, work: 'none' } as const;

export function registerAdminRoutes(app: FastifyInstance, options: HttpOptions, limits: SignInLimits): void {
  const { admin } = options;
  if (!admin) {
    registerDisabledRoutes(app);
    return;
  }
  registerSessionRoutes(app, options, admin, limits);
  const files = new BuiltFiles(admin.folder);
  const { imagesPublicUrl = '' } = options;
  const page = { admin, files, imageOrigin: imagesPublicUrl && new URL(imagesPublicUrl).origin };
  app.get(ADMIN_PATH, { config }, async (request, reply) => sendPage(request, reply, page));
  app.get<{ Params: { '*': string } }>(`${ADMIN_PATH}/*`, { config }, async (request, reply) => {
    const name = request.params['*'];
    const file = name === 'index.html' ? undefined : files.find(name);
    if (!file) {
      const isPlace = !HASHED.test(name) && wantsPage(request);
      return isPlace ? sendPage(request, reply, page) : sendProblem(reply, noFile());
    }
    const cacheControl = HASHED.test(name) ? 'public, max-age=31536000, immutable' : undefined;
    reply.headers({ vary: 'Accept-Encoding', 'cross-origin-resource-policy': 'same-origin' });
    return sendPublicFile(request, reply, file, { made: file.codings, ...(cacheControl && { cacheControl }) });
  });
}

/** Whether a browser requests the root, which redirects to the admin page. */
export function leadsToAdmin(request: FastifyRequest, { admin }: HttpOptions): boolean {
  const { url, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  return admin !== undefined && isRead && (url === '/' || url.startsWith('/?')) && wantsPage(request);
}

interface Page {
  readonly admin: AdminOptions;
  readonly files: BuiltFiles;
  /** The origin of images in S3; empty if the store serves them. */
  readonly imageOrigin: string;
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { admin, files, imageOrigin }: Page): FastifyReply {
  reply.headers(PAGE_HEADERS);
  const rejection = rejectPlainHttp(request, admin) ?? (files.isBuilt ? undefined : notBuilt());
  if (rejection) return wantsPage(request) ? sendRejectionPage(reply, rejection) : sendProblem(reply, rejection);
  const index = files.find('index.html')!;
  const nonce = newNonce();
  const own = originOf(request).origin;
  // URLs of images start with the store’s base URL, which may differ from the URL of the page.
  const elsewhere = [new URL(request.service.environment.baseUrl).origin, imageOrigin];
  const images = elsewhere.filter((origin) => origin !== '' && origin !== own);
  reply.header('content-security-policy', policyFor(nonce, images));
  return reply.header('content-type', index.type).send(documentOf(index.bytes).with(nonce));
}

function sendRejectionPage(reply: FastifyReply, rejection: Problem): FastifyReply {
  const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  return reply
    .code(problemTypes[rejection.problem].status)
    .headers({ 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' })
    .send(rejectionPage(rejection, `${REFERENCE_FILES_PATH}/`));
}

const documents = new WeakMap<Buffer, ReturnType<typeof adminDocument>>();

function documentOf(bytes: Buffer): ReturnType<typeof adminDocument> {
  const known = documents.get(bytes) ?? adminDocument(bytes.toString());
  documents.set(bytes, known);
  return known;
}

/** Programs that accept anything get a problem. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return negotiate(headers.accept, [PROBLEM_TYPE, 'text/html']) === 'text/html';
}

function noFile(): Problem {
  return problem('not-found', 'The admin page has no such file. Open /admin.');
}

function notBuilt(): Problem {
  return problem('not-found', 'The admin page is not built. Run “npm run admin:build”, then restart the store.');
}

/** If the page is disabled, its paths respond with 404, also without a key. */
function registerDisabledRoutes(app: FastifyInstance): void {
  const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  for (const url of [ADMIN_PATH, SESSION_PATH, `${ADMIN_PATH}/*`])
    app.route({
      ...{ method, url, config },
      handler: async (_request, reply) => sendProblem(reply, problem('not-found', 'This store has no admin page.')),
    });
}
