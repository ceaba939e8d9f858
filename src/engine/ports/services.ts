/** Small services: the clock, hashes of secrets, and messages to URLs of clients. */

export interface Clock {
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Resolves after this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

/** Hashes passwords and similar secrets with a slow one-way function. */
export interface Secrets {
  /** Rejects with `Overloaded` if the queue is full. @returns a hash including its salt and parameters */
  hash(secret: string): Promise<string>;
  /** Takes the same time if the hash is undefined. Rejects like `hash`. */
  matches(secret: string, hash: string | undefined): Promise<boolean>;
}

/** A text and how to decode it to the bytes to hash. */
export type HashedPart = readonly [text: string, encoding: 'utf8' | 'hex' | 'base64'];

/** Sends messages to untrusted URLs from clients. */
export interface Sender {
  /** Posts a body without following redirects. Ends within seconds regardless of the remote side. */
  send(address: string, message: Message, stopped: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of one delivery attempt. */
export interface Sent {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** First KB of the response body; without a response, a sentence with the reason. */
  readonly response: string;
  /** The requested delay (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  readonly durationMs: number;
}

/** No capacity for this work. Retrying later may succeed. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}
