/** An authenticator with one passkey (ES256), written without the library that the program uses (WebAuthn §6, RFC 8949, RFC 9052). */
import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';

// biome-ignore lint/suspicious/noExplicitAny: options and answers have the forms of browsers
type Json = any;

/** What the authenticator, or the browser, does differently than it should. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  /** Format and content of the statement about the authenticator. */
  readonly attestation?: readonly [format: string, statement: Map<unknown, unknown>];
}

const PRESENT = 1;
const VERIFIED = 4;
const HAS_CREDENTIAL = 64;

export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle: string | undefined;
  /** Of the last use. */
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Answers the options of `navigator.credentials.create`. */
  create(options: Json, deviation: Deviation = {}): Json {
    this.#userHandle = options.user.id;
    const clientData = this.#clientData('webauthn.create', options, deviation);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([0, id.length]);
    const credential = [Buffer.alloc(16), length, id, cbor(this.#publicKey())];
    const authData = Buffer.concat([this.#data(options.rp.id, HAS_CREDENTIAL, deviation), ...credential]);
    const [format, statement] = deviation.attestation ?? ['none', new Map()];
    const attestation = new Map<unknown, unknown>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    const response = { clientDataJSON: text(clientData), attestationObject: text(cbor(attestation)) };
    return this.#answer({ ...response, transports: ['internal', 'telepathy'] });
  }

  /** Answers the options of `navigator.credentials.get`. */
  get(options: Json, deviation: Deviation = {}): Json {
    this.counter = deviation.counter ?? this.counter + 1;
    const clientData = this.#clientData('webauthn.get', options, deviation);
    const data = this.#data(options.rpId, 0, deviation);
    const signature = sign(
      'sha256',
      Buffer.concat([data, hash('sha256', clientData, 'buffer')]),
      this.#keys.privateKey,
    );
    const userHandle = 'userHandle' in deviation ? deviation.userHandle : this.#userHandle;
    const response = { clientDataJSON: text(clientData), authenticatorData: text(data), signature: text(signature) };
    return this.#answer({ ...response, ...(userHandle === undefined ? {} : { userHandle }) });
  }

  #answer(response: Json): Json {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #clientData(type: string, { challenge }: Json, deviation: Deviation): Buffer {
    const data = { type: deviation.type ?? type, challenge, origin: deviation.origin ?? this.#origin };
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false }));
  }

  #data(rpId: string, flags: number, deviation: Deviation): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = deviation.isVerified === false ? 0 : VERIFIED;
    const host = hash('sha256', deviation.rpId ?? rpId, 'buffer');
    return Buffer.concat([host, Buffer.from([PRESENT | verified | flags]), counter]);
  }

  #publicKey(): Map<unknown, unknown> {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    return new Map<unknown, unknown>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]);
  }
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}

function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const map = value as Map<unknown, unknown>;
  return Buffer.concat([head(5, map.size), ...[...map].flat().map(cbor)]);
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count]);
  if (count < 256) return Buffer.from([(type << 5) | 24, count]);
  return Buffer.from([(type << 5) | 25, count >> 8, count & 255]);
}
