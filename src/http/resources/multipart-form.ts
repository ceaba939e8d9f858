/**
 * Parses multipart/form-data (RFC 7578): texts and one file. It parses while the body arrives, and rejects a file as soon as it
 * exceeds the limit.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Dicer } from '@fastify/busboy';
import { errorCodes, type FastifyRequest } from 'fastify';
import {
  type JsonObject,
  JsonProblem,
  type ModelRoute,
  type Problem,
  parseJson,
  problem,
  type Upload,
} from '../../engine/index.ts';
import { ChunkBuffer } from '../../store/chunk-buffer.ts';

export const FORM_TYPE = 'multipart/form-data';

export class Form {
  readonly texts: ReadonlyMap<string, string>;
  /** Undefined if no file was chosen. */
  readonly upload: Upload | undefined;

  constructor(texts: ReadonlyMap<string, string>, upload: Upload | undefined) {
    this.texts = texts;
    this.upload = upload;
  }

  /** Equal for equal forms, regardless of boundaries and the order of parts. */
  get identity(): string {
    const digest = createHash('sha256')
      .update(this.upload?.bytes ?? '')
      .digest('hex');
    return JSON.stringify([FORM_TYPE, [...this.texts].sort(), this.upload?.filename, this.upload && digest]);
  }
}

/** A problem with the body. */
export class UnreadableBody extends Error {
  readonly problem: Problem;
  constructor(reason: Problem) {
    super(reason.detail);
    this.problem = reason;
  }
}

/** Converts the texts to a JSON body: fields of other types than text are parsed as JSON. */
export function formBody({ fields }: ModelRoute, { texts }: Form): JsonObject {
  return Object.fromEntries(
    [...texts].map(([name, text]) => {
      const type = fields.get(name)?.field.inputSchema.type;
      return [name, type === undefined || type === 'string' ? text : jsonValue(text)];
    }),
  );
}

function jsonValue(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonProblem) return text;
    throw error;
  }
}

const PARTS_MAX = 20;
const TEXT_BYTES_MAX = 65_536;
/** The parser stops at its own maximum, which must be above ours. */
const HEADER_BYTES_MAX = 4096;
const HEADER_BYTES_READ_MAX = 8192;

const BOUNDARY = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const PARAMETER = /;[ \t]*([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/gy;
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

interface Part {
  name: string | undefined;
  filename: string | undefined;
  bytes: number;
  readonly chunks: ChunkBuffer;
}

interface FormLimits {
  readonly filePart: string;
  /** 0: no limit. */
  readonly fileBytesMax: number;
  /** Of the whole body. */
  readonly bytesMax: number;
}

/** Reads a form up to the limits of its route and of its file. */
export function readForm(
  payload: IncomingMessage,
  headers: FastifyRequest['headers'],
  { filePart, fileBytesMax, bytesMax }: FormLimits,
  done: (error: Error | null, form?: Form) => void,
): void {
  const [, quoted, bare] = BOUNDARY.exec(headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) {
    done(malformed('The Content-Type has no boundary.'));
    return;
  }
  const parts: Part[] = [];
  let length = 0;
  let hasEnded = false;
  let isParsed = false;
  let isOver = false;
  const parser = new Dicer({ boundary, maxHeaderSize: HEADER_BYTES_READ_MAX } as ConstructorParameters<
    typeof Dicer
  >[0]);

  const finish = (error: Error | null, form?: Form): void => {
    if (isOver) return;
    isOver = true;
    payload.off('data', take).off('end', end).off('error', finish);
    done(error, form);
  };
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > bytesMax) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    // Bytes after the last boundary are ignored.
    else if (parser.writable) parser.write(chunk);
  };
  const end = (): void => {
    hasEnded = true;
    if (parser.writable) parser.end();
    complete();
  };
  const complete = (): void => {
    if (!hasEnded || !isParsed || isOver) return;
    const form = formOf(parts, filePart);
    if (form instanceof Form) finish(null, form);
    else finish(form);
  };

  parser.on('part', (stream) => {
    const part: Part = { name: undefined, filename: undefined, bytes: 0, chunks: new ChunkBuffer() };
    if (parts.push(part) > PARTS_MAX) return finish(malformed(`The form has more than ${PARTS_MAX} parts.`));
    stream.on('header', (header) => {
      const error = readHeader(header as Headers, part, parts);
      if (error !== undefined) finish(malformed(error));
    });
    stream.on('data', (chunk: Buffer | string) => {
      if (isOver) return;
      part.bytes += chunk.length;
      const isFile = part.name === filePart;
      const limit = isFile ? fileBytesMax : TEXT_BYTES_MAX;
      if (limit === 0 || part.bytes <= limit) part.chunks.add(chunk as Buffer);
      else finish(tooLarge(isFile ? 'The file' : `The part “${part.name}”`, limit));
    });
    // The parser reports the error too.
    stream.on('error', () => {});
  });
  parser.on('error', () => finish(malformed('The multipart body is truncated.')));
  parser.on('finish', () => {
    isParsed = true;
    complete();
  });
  payload.on('data', take).on('end', end).on('error', finish);
}

type Headers = Readonly<Record<string, readonly string[]>>;

/** Sets the part's names. @returns an error message if its headers are invalid */
function readHeader(headers: Headers, part: Part, parts: readonly Part[]): string | undefined {
  const size = Object.entries(headers).flat(2).join('').length;
  if (size > HEADER_BYTES_MAX) return `The headers of a part are larger than ${HEADER_BYTES_MAX} bytes.`;
  const [disposition = ''] = headers['content-disposition'] ?? [];
  const encoding = headers['content-transfer-encoding']?.[0]?.trim().toLowerCase();
  if (encoding !== undefined && !PLAIN_ENCODINGS.has(encoding))
    return `The Content-Transfer-Encoding ${JSON.stringify(encoding)} of a part is not supported. Send the part as it is.`;
  return readDisposition(disposition, part) ?? nameProblem(part, parts);
}

/** Sets name and file name of a part. @returns an error message if `Content-Disposition` is invalid */
function readDisposition(disposition: string, part: Part): string | undefined {
  const unreadable = 'A part has no valid Content-Disposition, e.g. form-data; name="alt".';
  if (!/^form-data[ \t]*(?:;|$)/i.test(disposition)) return unreadable;
  PARAMETER.lastIndex = disposition.indexOf(';') === -1 ? disposition.length : disposition.indexOf(';');
  while (PARAMETER.lastIndex < disposition.length) {
    const [found, key, quoted, bare] = PARAMETER.exec(disposition) ?? [];
    const value = found === undefined ? undefined : textOf(Buffer.from(quoted ?? bare ?? '', 'latin1'));
    if (value === undefined) return unreadable;
    if (key === 'name') part.name = value;
    if (key === 'filename') part.filename = value;
  }
  return part.name === undefined ? unreadable : undefined;
}

function nameProblem(part: Part, parts: readonly Part[]): string | undefined {
  // As in JSON: names with a meaning in JavaScript are rejected.
  if (part.name === '__proto__' || part.name === 'constructor')
    return `${part.name} is not allowed as the name of a part.`;
  if (parts.some((other) => other !== part && other.name === part.name))
    return `The form has two parts named ${JSON.stringify(part.name!.slice(0, 100))}.`;
  return undefined;
}

function formOf(parts: readonly Part[], filePart: string): Form | UnreadableBody {
  const texts = new Map<string, string>();
  let upload: Upload | undefined;
  for (const { name, filename, bytes, chunks } of parts) {
    if (name === undefined) return malformed('The headers of a part are truncated.');
    if (name !== filePart) {
      const text = textOf(chunks.join());
      if (text === undefined) return malformed(`The part ${JSON.stringify(name.slice(0, 100))} is not valid UTF-8.`);
      texts.set(name, text);
    } else if (bytes > 0 || filename) {
      // If no file was chosen, browsers send an empty file without a name.
      upload = { bytes: chunks.join(), filename };
    }
  }
  return new Form(texts, upload);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function malformed(detail: string): UnreadableBody {
  return new UnreadableBody(problem('malformed-request', detail));
}

function tooLarge(what: string, limit: number): UnreadableBody {
  const detail = `${what} is larger than the limit of ${limit.toLocaleString('en')} bytes.`;
  return new UnreadableBody(problem('content-too-large', detail));
}
