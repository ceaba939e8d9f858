/**
 * Files of records that declare a download (catalog.md §15): with a key below their record, and at a public URL if the
 * record's values allow it. Each request reads the record, so that a change of access applies to the next request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  attachmentName,
  committed,
  type Download,
  FILES_PATH,
  isAttachment,
  isProblem,
  type ModelResource,
  read,
  type ShownRecord,
  type Value,
} from '../../engine/index.ts';
import { addressReader, requestOptionsOf, targetOf } from '../resources/address.ts';
import { type ServedFile, sendFile, sendMissingFile } from '../responses/file.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';

const PUBLIC = { isPublic: true, negotiates: false, work: 'read' } as const;

export function registerAttachmentFiles(app: FastifyInstance, options: HttpOptions): void {
  app.get(`${FILES_PATH}/*`, { config: PUBLIC }, (_request, reply) => sendMissingFile(reply));
  for (const resource of options.service.model.resources.values()) {
    const { download } = resource.declaration;
    if (!download) continue;
    registerPublicFiles(app, options, resource, download);
    registerFilesOfRecords(app, options, resource, download);
  }
}

function registerPublicFiles(
  app: FastifyInstance,
  { service }: HttpOptions,
  { name: resource }: ModelResource,
  { file, filename, mediaType, openWhere }: Download,
): void {
  app.get<{ Params: { hash: string; filename: string } }>(
    `${FILES_PATH}/:hash/:filename`,
    { config: PUBLIC },
    async (request, reply) => {
      const name = attachmentName(request.params.hash);
      if (!isAttachment(name)) return sendMissingFile(reply);
      // The languages are those of texts, which are not read here.
      const reads = committed(service, { language: '', defaultLanguage: '' });
      const where = { ...openWhere, [file]: name, [filename]: request.params.filename };
      const [record] = await reads.list(resource, where);
      if (!record) return sendMissingFile(reply);
      return sendFile(request, reply, servedFile(request, record, [file, filename, mediaType], true));
    },
  );
}

function registerFilesOfRecords(
  app: FastifyInstance,
  options: HttpOptions,
  { name: resource, routes }: ModelResource,
  { file, filename, mediaType, openWhere }: Download,
): void {
  const [route] = routes;
  const url = `/api${route!.path.replace(/\{(\w+)\}/g, ':$1')}/file`;
  const config = { negotiates: false, work: 'read', readAddress: addressReader(route!, 'more') } as const;
  app.get(url, { config }, async (request: FastifyRequest, reply): Promise<FastifyReply> => {
    const requestOptions = requestOptionsOf(request, options);
    const found = await read(request.service, requestOptions, targetOf(request, route!));
    if (isProblem(found)) return sendProblem(reply, found);
    const record = await committed(request.service, requestOptions).read(resource, request.address.id!);
    if (!record) return sendMissingFile(reply);
    const isPublic = Object.entries(openWhere).every(([name, value]) => record[name] === value);
    return sendFile(request, reply, servedFile(request, record, [file, filename, mediaType], isPublic));
  });
}

/** No response with a file can run as a page of the store's origin, whatever a browser makes of its content. */
function servedFile(
  { service: { images } }: FastifyRequest,
  record: ShownRecord,
  names: readonly string[],
  isPublic: boolean,
): ServedFile {
  const [name, filename, mediaType] = names.map((each) => record[each] as string) as [string, string, string];
  return {
    etag: `"${name.split('/').at(-1)}"`,
    contentType: mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    headers: {
      'accept-ranges': 'bytes',
      'cache-control': isPublic ? 'no-cache' : 'private, no-store',
      'content-disposition': `attachment; filename*=UTF-8''${extendedValue(filename)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
    isKnown: () => images.has(name),
    sizeOf: () => images.sizeOf(name),
    open: (part) => images.open(name, part),
  };
}

/** Encodes a parameter value (RFC 8187 §3.2.1). */
function extendedValue(text: Value): string {
  return encodeURIComponent(text as string).replace(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
