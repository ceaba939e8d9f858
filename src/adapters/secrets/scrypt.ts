/**
 * Password hashes with scrypt (RFC 7914). Node's thread pool computes them, so the event loop is not blocked.
 * Concurrency is limited, so a flood of logins exhausts neither processors nor memory.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../engine/ports.ts';
import { createBoundedQueue } from '../bounded-queue.ts';

/** The cost of one hash. Memory is 128 × `cost` × `blockSize` bytes: 32 MiB. */
interface Parameters {
  /** N, a power of 2. */
  readonly cost: number;
  /** r */
  readonly blockSize: number;
  /** p */
  readonly parallelization: number;
}

/**
 * Recommended by OWASP's Password Storage Cheat Sheet for this amount of memory. One hash takes about 0.3 s of
 * processor time.
 */
const USUAL: Parameters = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Half of Node's four pool threads; the others remain free for files and DNS lookups. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 50;
const WAITING_SECONDS_MAX = 10;

/** @param parameters for new hashes; stored hashes contain their own */
export function createSecrets(parameters = USUAL): Secrets {
  const runInQueue = createBoundedQueue({
    concurrencyMax: AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax: WAITING_SECONDS_MAX,
    overloaded: 'Too many logins are being processed. Retry in a few seconds.',
  });
  // Used if there is no stored hash, so that the comparison takes as long. No secret matches it.
  const placeholder = { ...parameters, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    async hash(secret) {
      const salt = randomBytes(SALT_BYTES);
      return format({ ...parameters, salt, hash: await runInQueue(() => derive(secret, salt, parameters)) });
    },
    async matches(secret, stored) {
      const { salt, hash, ...own } = (stored === undefined ? undefined : readHash(stored)) ?? placeholder;
      return timingSafeEqual(await runInQueue(() => derive(secret, salt, own)), hash);
    },
  };
}

function derive(secret: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  const { cost, blockSize } = parameters;
  // The same character can be typed as different code points; normalize them (RFC 8265 §4.2).
  const text = secret.normalize('NFC');
  const options = { ...parameters, maxmem: 2 * 128 * cost * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

interface Hash extends Parameters {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Formats a hash as a PHC string. It contains its parameters, so that later versions can choose others. */
function format({ cost, blockSize, parallelization, salt, hash }: Hash): string {
  return `$scrypt$ln=${Math.log2(cost)},r=${blockSize},p=${parallelization}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/;

function readHash(text: string): Hash | undefined {
  const [, cost, blockSize, parallelization, salt, hash] = FORM.exec(text) ?? [];
  if (hash === undefined) return undefined;
  return {
    cost: 2 ** Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(salt!, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
