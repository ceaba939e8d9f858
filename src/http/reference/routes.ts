/**
 * The reference: `GET /api` in all formats, downloadable documents, the page's files, and the pages of problem types. All of it
 * is public, contains no data of the store, and loads nothing from other hosts (http.md §11).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONTEXTS_PATH, DOCUMENTATION_PATH } from '../../describe/hydra.ts';
import { groupNames, SPEC_VERSIONS } from '../../describe/openapi.ts';
import {
  isProblem,
  type Problem,
  type ProblemType,
  parseQueryString,
  problem,
  problemTypes,
  rejectParameters,
  shortened,
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import { JSON_TYPE, LD_TYPE } from '../responses/accept.ts';
import { PROBLEMS_PATH, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { type DocumentChoice, openApiDocuments } from './documents.ts';
import { linkedDocuments } from './linked-documents.ts';
import { problemListPage, problemPage } from './problem-pages.ts';
import { HTML_TYPE, ownFile, type PublicFile, publicFile, sendPublicFile } from './public-files.ts';
import { OLD_PATH, ReferencePages } from './reference-pages.ts';
import { scalarScript } from './scalar-script.ts';

export function registerReferenceRoutes(app: FastifyInstance, { service, version, admin }: HttpOptions): void {
  const { model } = service;
  const pages = new ReferencePages(admin !== undefined);
  const addressOf = (request: FastifyRequest): string => request.service.environment.baseUrl;
  const document = openApiDocuments(model, version);
  const sendDocument = (request: FastifyRequest, reply: FastifyReply, choice: DocumentChoice): FastifyReply => {
    return sendPublicFile(request, reply, {
      ...document(choice, addressOf(request)),
      type: `${request.responseType}; charset=utf-8`,
    });
  };
  const linked = linkedDocuments(model);
  const sendLinked = (request: FastifyRequest, reply: FastifyReply, file: PublicFile): FastifyReply =>
    sendPublicFile(request, reply, { ...file, type: `${request.responseType}; charset=utf-8` });
  const noContext = (reply: FastifyReply): FastifyReply =>
    sendProblem(reply, problem('not-found', `Unknown context. See ${DOCUMENTATION_PATH} for all classes.`));

  for (const path of ['/api', OLD_PATH] as const)
    addPublic(app, path, [...DOCUMENT_TYPES, 'text/html', LD_TYPE], (request, reply) => {
      if (request.responseType === LD_TYPE) return sendLinked(request, reply, linked.entrypoint(addressOf(request)));
      if (request.responseType !== 'text/html') return sendDocument(request, reply, WHOLE_DOCUMENT);
      const page = pages.at(path, () => document(WHOLE_DOCUMENT, addressOf(request)));
      return sendPublicFile(request, reply.headers(securityHeaders(PAGE_POLICY)), page);
    });
  addPublic(app, DOCUMENTATION_PATH, LINKED_TYPES, (request, reply) =>
    sendLinked(request, reply, linked.documentation(addressOf(request))),
  );
  addPublic(app, `${CONTEXTS_PATH}/:name`, LINKED_TYPES, (request, reply) => {
    const { name } = request.params as { name: string };
    const context = linked.context(name.replace(/\.jsonld$/, ''), addressOf(request));
    return context ? sendLinked(request, reply, context) : noContext(reply);
  });
  addPublic(app, `${CONTEXTS_PATH}/*`, LINKED_TYPES, (_request, reply) => noContext(reply));
  const groups = groupNames(model);
  const read = (request: FastifyRequest, lenient: boolean): DocumentChoice | Problem =>
    readDocumentChoice(request, groups, lenient);
  for (const path of ['/api/openapi.json', '/api/docs.json'])
    addPublic(
      app,
      path,
      DOCUMENT_TYPES,
      (request, reply) => sendDocument(request, reply, read(request, true) as DocumentChoice),
      (request, lenient) => problemOrNothing(read(request, lenient)),
    );
  for (const [name, type] of Object.entries(OWN_FILES)) {
    const file = ownFile(name, `${type}; charset=utf-8`);
    addPublic(app, `${REFERENCE_FILES_PATH}/${name}`, [type], (request, reply) => sendPublicFile(request, reply, file));
  }
  addPublic(app, `${REFERENCE_FILES_PATH}/scalar.js`, [SCRIPT_TYPE], async (request, reply) =>
    sendPublicFile(request, reply, await scalarScript()),
  );
  addPage(app, PROBLEMS_PATH, problemListPage());
  for (const type of Object.keys(problemTypes) as ProblemType[])
    addPage(app, `${PROBLEMS_PATH}/${type}`, problemPage(type));
  addPublic(app, `${REFERENCE_FILES_PATH}/*`, ['application/problem+json', 'text/html', '*/*'], (_request, reply) =>
    sendProblem(reply, problem('not-found', 'The reference has no such file. Open /api.')),
  );
}

export const DOCUMENT_TYPES = [JSON_TYPE, 'application/vnd.openapi+json'];
/** JSON-LD is JSON, so it is also offered under this media type. */
const LINKED_TYPES = [LD_TYPE, JSON_TYPE];
const SCRIPT_TYPE = 'text/javascript';
export const REFERENCE_FILES_PATH = '/api/_reference';
const OWN_FILES = { 'page.js': SCRIPT_TYPE, 'pages.css': 'text/css', 'icon.svg': 'image/svg+xml' };

/** Scalar sets inline styles and shows responses from blobs. The page may connect only to this server. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' data: blob:",
  "connect-src 'self'",
];
const PROBLEM_PAGE_POLICY = ["default-src 'none'", "style-src 'self'", "img-src 'self'"];

export function securityHeaders(policy: readonly string[]): Record<string, string> {
  const everywhere = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return {
    'content-security-policy': [...policy, ...everywhere].join('; '),
    'referrer-policy': 'no-referrer',
  };
}

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Registers a public GET route. */
export function addPublic(
  app: FastifyInstance,
  url: string,
  offers: readonly string[],
  send: Send,
  readAddress = (request: FastifyRequest, lenient: boolean) => rejectParameters(queryOf(request), lenient),
): void {
  app.get(url, { config: { isPublic: true, offers, readAddress } }, async (request, reply) => send(request, reply));
}

function addPage(app: FastifyInstance, url: string, html: string): void {
  const page = publicFile(html, HTML_TYPE);
  addPublic(app, url, ['text/html'], (request, reply) =>
    sendPublicFile(request, reply.headers(securityHeaders(PROBLEM_PAGE_POLICY)), page),
  );
}

function queryOf({ raw }: FastifyRequest): string {
  const mark = raw.url!.indexOf('?');
  return mark === -1 ? '' : raw.url!.slice(mark + 1);
}

export const WHOLE_DOCUMENT: DocumentChoice = { specVersion: '3.1.0' };

/** @param groups undefined: `group` is an unknown parameter */
export function readDocumentChoice(
  request: FastifyRequest,
  groups: readonly string[] | undefined,
  lenient: boolean,
): DocumentChoice | Problem {
  const parameters = parseQueryString(queryOf(request));
  if (isProblem(parameters)) return parameters;
  const names = ['spec_version', ...(groups ? ['group'] : [])];
  const given = new Map<string, string>();
  for (const { written, value } of parameters) {
    if (!names.includes(written) && !lenient)
      return problem('invalid-argument', unknownParameter(written, withoutSynonyms(names)));
    if (given.has(written) && !lenient)
      return problem('invalid-argument', `The parameter "${written}" is given more than once.`);
    given.set(written, value);
  }
  const asked = given.get('spec_version') ?? WHOLE_DOCUMENT.specVersion;
  const specVersion = SPEC_VERSIONS.get(asked);
  if (specVersion === undefined) return notOneOf('spec_version', [...SPEC_VERSIONS.keys()], asked);
  const group = given.get('group');
  if (group === undefined || !groups) return { specVersion };
  return groups.includes(group) ? { specVersion, group } : notOneOf('group', groups, group);
}

function notOneOf(name: string, possible: readonly string[], value: string): Problem {
  return problem('invalid-argument', `"${name}" should be one of ${possible.join(', ')}; it is "${shortened(value)}".`);
}

export function problemOrNothing(value: DocumentChoice | Problem): Problem | undefined {
  return isProblem(value) ? value : undefined;
}
