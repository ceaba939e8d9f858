/**
 * Strict JSON parser (RFC 8259) for request bodies. Rejects what `JSON.parse` accepts: duplicate keys, keys that reach
 * a prototype, nesting over 32 levels. A number that a double cannot represent becomes a `LossyNumber`, so that its
 * field can report it. Lone surrogates and NUL are accepted here; the fields validate them.
 */

import { shortened } from './english-names.ts';

const DEPTH_MAX = 32;

/** A number that no double represents exactly, e.g. 9007199254740993 or 1e400. */
export class LossyNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** Serializes the number as it was sent. */
  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.text);
  }

  get isWhole(): boolean {
    return !canonical(this.text).includes('e-');
  }
}

/** Rejected JSON. The message is shown to the client. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
}

/** Parses one JSON text. @throws {JsonProblem} */
export function parseJson(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value(1);
  reader.end();
  return value;
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor']);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    const first = this.#next();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return this.#string();
    if (first === 't') return this.#word('true', true);
    if (first === 'f') return this.#word('false', false);
    if (first === 'n') return this.#word('null', null);
    return this.#number();
  }

  end(): void {
    if (this.#next() !== undefined) throw this.#problem('Unexpected text after the JSON value');
  }

  #next(): string | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if (code === 32 || (code <= 13 && code >= 9)) {
      SPACE.lastIndex = this.#at;
      SPACE.test(this.#text);
      this.#at = SPACE.lastIndex;
    }
    return this.#text[this.#at];
  }

  #object(depth: number): Record<string, unknown> {
    this.#enter(depth);
    const object: Record<string, unknown> = {};
    if (this.#next() === '}') return this.#leave(object);
    for (;;) {
      if (this.#next() !== '"') throw this.#problem('Expected a key in double quotes');
      const key = this.#string();
      if (FORBIDDEN_KEYS.has(key)) throw new JsonProblem(`The key "${key}" is not allowed in a body.`);
      if (Object.hasOwn(object, key))
        throw new JsonProblem(`The key ${JSON.stringify(shortened(key))} is duplicated in one object.`);
      if (this.#next() !== ':') throw this.#problem('Expected a colon');
      this.#at += 1;
      object[key] = this.value(depth + 1);
      if (this.#separator('}')) return this.#leave(object);
    }
  }

  #array(depth: number): unknown[] {
    this.#enter(depth);
    const array: unknown[] = [];
    if (this.#next() === ']') return this.#leave(array);
    for (;;) {
      array.push(this.value(depth + 1));
      if (this.#separator(']')) return this.#leave(array);
    }
  }

  #enter(depth: number): void {
    if (depth > DEPTH_MAX) throw new JsonProblem(`The body is nested deeper than ${DEPTH_MAX} levels.`);
    this.#at += 1;
  }

  #leave<T>(value: T): T {
    this.#at += 1;
    return value;
  }

  /** Reads the separator after an element: true for the closing bracket, false for a comma. */
  #separator(close: string): boolean {
    const next = this.#next();
    if (next === close) return true;
    if (next !== ',') throw this.#problem(`Expected a comma or "${close}"`);
    this.#at += 1;
    return false;
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (end !== -1 && this.#escaped(end)) end = this.#text.indexOf('"', end + 1);
    if (end === -1) throw this.#problem('Unterminated string');
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      this.#at = start;
      throw this.#problem('Invalid escape or control character in a string');
    }
  }

  #escaped(quote: number): boolean {
    let backslashes = 0;
    while (this.#text[quote - 1 - backslashes] === '\\') backslashes += 1;
    return backslashes % 2 === 1;
  }

  #number(): number | LossyNumber {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text === undefined)
      throw this.#problem(this.#at < this.#text.length ? 'Expected a JSON value' : 'Unexpected end of the text');
    this.#at += text.length;
    const value = Number(text);
    return isExact(text, value) ? value : new LossyNumber(text);
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#problem('Expected a JSON value');
    this.#at += word.length;
    return value;
  }

  #problem(what: string): JsonProblem {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    const column = this.#at - before.lastIndexOf('\n');
    return new JsonProblem(`The body is not valid JSON: ${what} at line ${line}, column ${column}.`);
  }
}

/** Whether the double equals the written number, compared by the double's shortest round-trip decimal. */
function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  return text.length < 16 && !/[eE]/.test(text) ? true : canonical(text) === canonical(String(value));
}

/** Canonical form of a number: its digits without leading and trailing zeros, and the exponent of the last digit. */
function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutLastZeros(digits);
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** A loop instead of a regular expression, which takes quadratic time if other digits follow the zeros. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
