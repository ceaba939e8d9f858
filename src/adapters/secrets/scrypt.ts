/**
 * Hashes of secrets that people choose, made with scrypt (RFC 7914). The work is done by Node's own threads, so the event
 * loop goes on meanwhile, and little of it at a time, so that a flood of secrets takes neither all processors nor the memory.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../engine/ports.ts';
import { createSemaphore } from '../semaphore.ts';

/** The cost of one hash. Memory is 128 × `cost` × `blockSize` bytes: 32 MiB. */
interface Parameters {
  /** N, a power of 2. */
  readonly cost: number;
  /** r */
  readonly blockSize: number;
  /** p */
  readonly parallelization: number;
}

/** As OWASP's Password Storage Cheat Sheet asks for with this much memory. One hash takes a processor about 0.3 s. */
const USUAL: Parameters = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Node has four threads for this, for files and for names of hosts; half of them are left to the others. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 50;
const WAITING_SECONDS_MAX = 10;

/** @param parameters of new hashes; one that is kept says its own */
export function createSecrets(parameters = USUAL): Secrets {
  const withPermit = createSemaphore({
    count: AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax: WAITING_SECONDS_MAX,
    overloaded: 'Too many secrets are being hashed now; try again in a few seconds.',
  });
  // Compared with where there is no hash, so that this takes as long: no secret has this one.
  const nobodys = { ...parameters, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    async hash(secret) {
      const salt = randomBytes(SALT_BYTES);
      return written({ ...parameters, salt, hash: await withPermit(() => derive(secret, salt, parameters)) });
    },
    async matches(secret, kept) {
      const { salt, hash, ...itsOwn } = (kept === undefined ? undefined : readHash(kept)) ?? nobodys;
      return timingSafeEqual(await withPermit(() => derive(secret, salt, itsOwn)), hash);
    },
  };
}

function derive(secret: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  const { cost, blockSize } = parameters;
  // One character may be typed in several ways that look alike; it is one character (RFC 8265 §4.2).
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

/** In the PHC string format: with its parameters, so that a later program may choose others. */
function written({ cost, blockSize, parallelization, salt, hash }: Hash): string {
  return `$scrypt$ln=${Math.log2(cost)},r=${blockSize},p=${parallelization}$${plain(salt)}$${plain(hash)}`;
}

function plain(bytes: Buffer): string {
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
