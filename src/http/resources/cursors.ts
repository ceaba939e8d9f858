/**
 * Cursors of lists (finding.md §3): the position after which the next page begins, encrypted with the store's key and bound to
 * its list. Clients can neither read the values of the position nor change them. Equal positions of a list have equal cursors,
 * so that responses can be cached.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  hasPositions,
  type ListPosition,
  type ListQuery,
  type ModelRoute,
  type Page,
  type Problem,
  positionScope,
  problem,
} from '../../engine/index.ts';
import type { PageExtent } from '../responses/headers.ts';
import type { HttpOptions, RequestContext } from '../server/context.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The length of a cursor reveals only the multiple of this. */
const PADDED_LENGTH = 32;

/** @param key the store's, as of `readCursorKey` */
function sealPosition(key: Buffer, scope: string, position: ListPosition): string {
  const text = JSON.stringify(position);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / PADDED_LENGTH) * PADDED_LENGTH));
  const { encryption, nonces } = keysOf(key);
  // Of the content, so that a nonce is never used for two contents, and equal contents have equal cursors.
  const hashed = createHmac('sha256', nonces)
    .update(JSON.stringify([scope, text]))
    .digest();
  const nonce = hashed.subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, encryption, nonce).setAAD(Buffer.from(scope));
  const sealed = Buffer.concat([cipher.update(padded), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @returns undefined if this store has not made the cursor for this list */
function openPosition(key: Buffer, scope: string, cursor: string): ListPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // A decoder also accepts other spellings of the same bytes.
  if (bytes.toString('base64url') !== cursor || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, keysOf(key).encryption, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(scope)).setAuthTag(tag);
  try {
    const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString()) as ListPosition;
  } catch {
    return undefined;
  }
}

function keysOf(key: Buffer): { readonly encryption: Buffer; readonly nonces: Buffer } {
  const half = key.length / 2;
  return { encryption: key.subarray(0, half), nonces: key.subarray(half) };
}

const FOREIGN =
  'The cursor does not belong to this list. It is valid only with the path, filters, search, order and language of the response that it is from. Omit "cursor" to start with the first page.';

const IMPOSSIBLE = 'This list has no cursors, because "price_for" filters or sorts it. Use "page" instead of "cursor".';

/** The list of a cursor, before its query is parsed. */
export interface CursorList {
  readonly route: ModelRoute;
  readonly path: string;
  /** The raw query. */
  readonly query: string;
}

/** Returns the query with the position of its cursor, if it has one. */
export function withPosition(
  context: RequestContext,
  listQuery: ListQuery,
  list: CursorList,
  key: Buffer,
): ListQuery | Problem {
  if (listQuery.cursor === undefined) return listQuery;
  if (!hasPositions(list.route, listQuery)) return problem('invalid-argument', IMPOSSIBLE);
  const after = openPosition(key, scopeOf(context, listQuery, list), listQuery.cursor);
  return after ? { ...listQuery, after } : problem('invalid-argument', FOREIGN);
}

/** Returns what the response says about the other pages: a cursor for the next one, if the list has positions. */
export function pageExtent(
  { address, requestContext }: Pick<FastifyRequest, 'address' | 'requestContext'>,
  route: ModelRoute,
  listQuery: ListQuery,
  { total, hasNext, end }: Pick<Page, 'total' | 'hasNext' | 'end'>,
  { cursorKey }: Pick<HttpOptions, 'cursorKey'>,
): PageExtent {
  if (!end || listQuery.itemsPerPage === 0) return { total, hasNext };
  const path = address.facetsQuery ? route.faceted!.path : route.collectionPath;
  const scope = scopeOf(requestContext, listQuery, { route, path, query: address.query! });
  return { total, hasNext, cursor: sealPosition(cursorKey, scope, end) };
}

/** Texts are sorted as they are shown in a language, which depends on the default language. */
function scopeOf(
  { language, defaultLanguage, lenient }: RequestContext,
  listQuery: ListQuery,
  { route, path, query }: CursorList,
): string {
  return JSON.stringify([language, defaultLanguage, positionScope(route, listQuery, { path, query, lenient })]);
}
