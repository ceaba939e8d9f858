/** The body of a write: its media type, its UTF-8, its strict JSON; or the problem that refuses it (http.md §2). */
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import {
  isJsonObject,
  type JsonObject,
  JsonProblem,
  Overloaded,
  type Problem,
  parseJson,
  problem,
} from '../../engine/index.ts';
import { ChunkBuffer } from '../../store/chunk-buffer.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { LD_TYPE, MERGE_PATCH_TYPE } from '../responses/accept.ts';
import { FORM_TYPE } from './multipart-form.ts';

/** Checked before a byte of the body is read. */
export function checkContentType(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  accepted: readonly string[],
): Problem | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return unsupported('The body is sent with a Content-Encoding, which is not taken; send it plain.');
  const [type = '', ...parameters] = String(headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
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

/**
 * Reads a body up to the limit of its path. The sender of the answer reads the rest of a body that is too large, and
 * throws it away.
 */
export function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  admissionControl: AdmissionControl,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const { bodyLimit, config } = request.routeOptions;
  const uploadFrom = request.queue ? Number.POSITIVE_INFINITY : (config.uploadFrom ?? Number.POSITIVE_INFINITY);
  let isGrown = false;
  const chunks = new ChunkBuffer();
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > bodyLimit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else chunks.add(chunk);
    if (length >= uploadFrom && length <= bodyLimit && !isGrown) grow();
  };
  const grow = (): void => {
    isGrown = true;
    payload.pause();
    const refuse = (): void => finish(new Overloaded('Too many uploads are waiting.'));
    admissionControl.grow(request, () => payload.resume(), refuse);
  };
  const finish = (error: Error | null): void => {
    payload.off('data', take).off('end', end).off('error', finish);
    done(error, error ? undefined : chunks.join());
  };
  const end = (): void => finish(null);
  payload.on('data', take).on('end', end).on('error', finish);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether a body that was taken is a form. */
export function isForm(contentType: string | undefined): boolean {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase() === FORM_TYPE;
}

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
