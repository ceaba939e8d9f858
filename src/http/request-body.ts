/** The body of a write: its media type, its UTF-8, its strict JSON; or the problem that refuses it (http.md §2). */
import { type Problem, problem } from '../engine/errors.ts';
import { isJsonObject, type JsonObject } from '../engine/fields/members.ts';
import { JsonProblem, parseJson } from '../engine/json.ts';
import { JSON_TYPE, LD_TYPE } from './accept.ts';

export const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** Checked before a byte of the body is read. */
export function checkContentType(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  isPatch: boolean,
): Problem | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return unsupported('The body is sent with a Content-Encoding, which is not taken; send it plain.');
  const [type = '', ...parameters] = String(headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const accepted = isPatch ? [JSON_TYPE, MERGE_PATCH_TYPE, LD_TYPE] : [JSON_TYPE, LD_TYPE];
  if (!accepted.includes(type))
    return unsupported(
      `The Content-Type is ${type === '' ? 'missing' : `"${type}"`}; send the body as ${accepted.join(' or ')}.`,
    );
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    return unsupported(`The body is sent in ${charset}; send it in UTF-8.`);
  return undefined;
}

/**
 * Whether a body that was taken is JSON-LD: it is sent as that, or it is a merge patch from a client that reads JSON-LD and
 * sends back what it read.
 */
export function isLinkedData(contentType: string | undefined, answersIn: string): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1).map((part) => part.trim().toLowerCase());
  return type === LD_TYPE || (type === MERGE_PATCH_TYPE && answersIn === LD_TYPE);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One JSON object in UTF-8, or why it is none. */
export function readJsonObject(bytes: Buffer | undefined): JsonObject | Problem {
  if (!bytes || bytes.length === 0) return malformed('The body is empty; send one JSON object.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('The body is not valid UTF-8.');
  }
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
    return malformed('The body should be one JSON object, between { and }.');
  } catch (error) {
    if (error instanceof JsonProblem) return malformed(error.message);
    throw error;
  }
}

function malformed(detail: string): Problem {
  return problem('malformed-request', detail);
}

function unsupported(detail: string): Problem {
  return problem('unsupported-media-type', detail);
}
