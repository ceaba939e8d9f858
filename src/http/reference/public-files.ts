/** Public files, which clients may cache if they revalidate (http.md §1). */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, sendEncoded, tagFor } from '../responses/encodings.ts';
import { namesTag } from '../responses/entity-tags.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

export interface PublicFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

export function publicFile(content: string | Buffer, type: string): PublicFile {
  const bytes = Buffer.from(content);
  return { bytes, type, etag: `"${hash('sha256', bytes, 'base64url').slice(0, DIGEST_LENGTH)}"` };
}

/** Reads a file of this folder. @param change changes its text */
export function ownFile(name: string, type: string, change = (text: string) => text): PublicFile {
  return publicFile(change(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')), type);
}

/** @param how.made existing encodings, the best first */
export function sendPublicFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, type, etag }: PublicFile,
  { made = [], cacheControl = 'public, no-cache' }: { made?: readonly Coding[]; cacheControl?: string } = {},
): FastifyReply {
  reply.headers({ 'cache-control': cacheControl, etag: tagFor(request, etag, bytes, made) });
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return sendEncoded(reply.header('content-type', type), bytes, bytes, made);
}

const DIGEST_LENGTH = 22;
