/** Parses JSON Lines from a stream: each line is an object, or a problem that says why it is invalid. */
import { isJsonObject, type JsonObject, JsonProblem, type Problem, parseJson, problem } from '../engine/index.ts';
import { ChunkBuffer } from './chunk-buffer.ts';

/** A line with content. Empty lines are only counted. */
export interface JsonLine {
  /** From 1, counting all lines. */
  readonly number: number;
  readonly bytes: number;
  readonly sent: JsonObject | Problem;
}

/** A longer line is skipped up to its end. */
const LINE_BYTES_MAX = 1_048_576;

const NEWLINE = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Splits bytes into lines. */
export class LineReader {
  #chunks: ChunkBuffer | undefined;
  #bytes = 0;
  #number = 0;
  /** Number of lines with only white space. */
  empty = 0;

  /** Yields the lines that end in these bytes. */
  *read(bytes: Buffer): Generator<JsonLine> {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const chunk = bytes.subarray(from, end);
      const isEmpty = end === from && this.#bytes === 0;
      from = end + 1;
      if (isEmpty) {
        // Fast path: megabytes of empty lines should cost almost no time.
        this.#number += 1;
        this.empty += 1;
      } else {
        this.#add(chunk);
        yield* this.#line();
      }
    }
    this.#add(bytes.subarray(from));
  }

  /** Yields the last line if no newline ends it. */
  *end(): Generator<JsonLine> {
    if (this.#bytes > 0) yield* this.#line();
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    if (isTooLong) this.#chunks = undefined;
    if (isTooLong || chunk.length === 0) return;
    this.#chunks ??= new ChunkBuffer();
    this.#chunks.add(chunk);
  }

  *#line(): Generator<JsonLine> {
    const bytes = this.#bytes;
    const chunks = this.#chunks;
    this.#bytes = 0;
    this.#chunks = undefined;
    this.#number += 1;
    const sent = chunks ? read(chunks.join()) : tooLong();
    if (sent === undefined) this.empty += 1;
    else yield { number: this.#number, bytes, sent };
  }
}

function read(bytes: Uint8Array): JsonObject | Problem | undefined {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('The line is not valid UTF-8.');
  }
  if (/^[ \t\r]*$/.test(text)) return undefined;
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : malformed('The line must be one JSON object, between { and }.');
  } catch (error) {
    if (error instanceof JsonProblem) return malformed(error.message.replace('The body', 'The line'));
    throw error;
  }
}

function malformed(detail: string): Problem {
  return problem('malformed-request', detail);
}

function tooLong(): Problem {
  return problem('content-too-large', `The line is longer than ${LINE_BYTES_MAX} bytes.`);
}
