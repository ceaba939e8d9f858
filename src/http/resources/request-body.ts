/** Reads the body of a write and checks its media type, UTF-8 and strict JSON (http.md §2). */
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import {
  isJsonObject,
  isProblem,
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

/** Runs before any byte of the body is read. */
export function checkContentType(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  accepted: readonly string[],
): Problem | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return unsupported('A Content-Encoding is not supported for request bodies. Send the body uncompressed.');
  const [type = '', ...parameters] = String(headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (!accepted.includes(type))
    return unsupported(
      `The Content-Type is ${type === '' ? 'missing' : `"${type}"`}. Send the body as ${accepted.join(' or ')}.`,
    );
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    return unsupported(`The charset ${charset} is not supported. Send the body in UTF-8.`);
  return undefined;
}

/**
 * Whether an accepted body is JSON-LD: by its content type, or because it is a merge patch of a client that reads JSON-LD and
 * sends back what it has read.
 */
export function isLinkedData(contentType: string | undefined, responseType: string): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1).map((part) => part.trim().toLowerCase());
  return type === LD_TYPE || (type === MERGE_PATCH_TYPE && responseType === LD_TYPE);
}

/**
 * Reads a body up to the limit of its route. If it is larger, sending the response discards the rest.
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
    const reject = (): void => finish(new Overloaded('Too many uploads are waiting.'));
    admissionControl.enterUploadQueue(request, () => payload.resume(), reject);
  };
  const finish = (error: Error | null): void => {
    payload.off('data', take).off('end', end).off('error', finish);
    done(error, error ? undefined : chunks.join());
  };
  const end = (): void => finish(null);
  payload.on('data', take).on('end', end).on('error', finish);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isForm(contentType: string | undefined): boolean {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase() === FORM_TYPE;
}

/** Parses one JSON object in UTF-8. */
export function readJsonObject(bytes: Buffer | undefined): JsonObject | Problem {
  const value = readJson(bytes);
  return isProblem(value) || isJsonObject(value) ? value : malformed('The body must be one JSON object.');
}

/** Parses one JSON object, or an array, in UTF-8. */
export function readJsonObjects(bytes: Buffer | undefined): JsonObject | readonly unknown[] | Problem {
  const value = readJson(bytes);
  if (isProblem(value) || isJsonObject(value) || Array.isArray(value)) return value;
  return malformed('The body must be a JSON object or an array of JSON objects.');
}

function readJson(bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0) return malformed('The body is empty. Send one JSON object.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('The body is not valid UTF-8.');
  }
  try {
    return parseJson(text);
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
