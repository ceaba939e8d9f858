/** `/admin`: the admin page and its files; and `/`, which redirects browsers to it (http.md §20). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, problem } from '../../engine/index.ts';
import { sendPublicFile } from '../reference/public-files.ts';
import { sendProblem } from '../responses/response.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import { sendRejection, wantsPage } from './browser-responses.ts';
import { adminDocument, newNonce, policyFor } from './document.ts';
import { BuiltFiles } from './files.ts';
import { registerForgotRoute } from './forgot.ts';
import { registerOidcRoutes } from './oidc.ts';
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
  registerOidcRoutes(app, options, admin, limits);
  registerForgotRoute(app, options, admin);
  const files = new BuiltFiles(admin.folder);
  const { imagesPublicUrl = '' } = options;
  const page = {
    admin,
    files,
    passkeys: options.passkeys?.origin,
    imageOrigin: imagesPublicUrl && new URL(imagesPublicUrl).origin,
  };
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
  /** The origin on which users can use passkeys. */
  readonly passkeys: string | undefined;
  /** The origin of images in S3; empty if the store serves them. */
  readonly imageOrigin: string;
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { admin, files, passkeys, imageOrigin } = page;
  reply.headers(PAGE_HEADERS);
  const rejection = rejectPlainHttp(request, admin) ?? (files.isBuilt ? undefined : notBuilt());
  if (rejection) return sendRejection(request, reply, rejection);
  const index = files.find('index.html')!;
  const nonce = newNonce();
  const own = originOf(request).origin;
  // URLs of images start with the store’s base URL, which may differ from the URL of the page.
  const elsewhere = [new URL(request.service.environment.baseUrl).origin, imageOrigin];
  const images = elsewhere.filter((origin) => origin !== '' && origin !== own);
  reply.header('content-security-policy', policyFor(nonce, images));
  return reply.header('content-type', index.type).send(documentOf(index.bytes, passkeys).with(nonce));
}

const documents = new WeakMap<Buffer, ReturnType<typeof adminDocument>>();

function documentOf(bytes: Buffer, passkeys: string | undefined): ReturnType<typeof adminDocument> {
  const known = documents.get(bytes) ?? adminDocument(bytes.toString(), passkeys);
  documents.set(bytes, known);
  return known;
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
