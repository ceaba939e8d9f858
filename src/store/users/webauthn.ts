/**
 * Passkeys as browsers create and use them (https://www.w3.org/TR/webauthn-3/). The library is optional, and loaded when the first
 * passkey is checked.
 */
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { JsonObject } from '../../engine/index.ts';

/** The store as passkeys know it: they belong to a host name, and browsers use them on one origin. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** A public key and how often it was used. */
export interface Credential {
  /** In base64url, as all bytes in JSON of browsers. */
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

const LIBRARY = '@simplewebauthn/server';

const library = () => import('@simplewebauthn/server');

/** Ed25519, ECDSA with P-256 and RSA with SHA-256: what browsers and security keys have (COSE numbers). */
const ALGORITHMS = [-8, -7, -257];

/** Ways to reach an authenticator that browsers report. Others are ignored. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/**
 * @param baseUrl empty if it is not set
 * @returns undefined if passkeys cannot be used: without a base URL with a host name, or without the library
 */
export function relyingParty(baseUrl: string, name = LIBRARY): RelyingParty | undefined {
  if (baseUrl === '' || !isInstalled(name)) return undefined;
  const { hostname, origin } = new URL(baseUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : undefined;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the options for `navigator.credentials.create`. @param user whose passkey it becomes; `handle` identifies the user */
export async function creationOptions(
  { id }: RelyingParty,
  user: { readonly handle: string; readonly email: string; readonly name: string },
  challenge: { readonly bytes: Buffer; readonly seconds: number },
  existing: readonly Credential[],
): Promise<JsonObject> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    ...{ rpID: id, rpName: id, userID: bytesOf(user.handle), userName: user.email, userDisplayName: user.name },
    ...{ challenge: new Uint8Array(challenge.bytes), timeout: challenge.seconds * 1000 },
    excludeCredentials: existing.map(descriptorOf),
    // The passkey alone can then be a sign-in with two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return options as unknown as JsonObject;
}

/** Returns the options for `navigator.credentials.get`. @param allowed if empty, the user chooses among all passkeys of the store */
export async function requestOptions(
  { id }: RelyingParty,
  challenge: { readonly bytes: Buffer; readonly seconds: number },
  { allowed, needsVerification }: { readonly allowed: readonly Credential[]; readonly needsVerification: boolean },
): Promise<JsonObject> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    ...{ rpID: id, challenge: new Uint8Array(challenge.bytes), timeout: challenge.seconds * 1000 },
    userVerification: needsVerification ? 'required' : 'preferred',
    ...(allowed.length > 0 && { allowCredentials: allowed.map(descriptorOf) }),
  });
  return options as unknown as JsonObject;
}

function descriptorOf({ id, transports }: Credential) {
  return { id, transports: [...transports] };
}

/** Returns the challenge that a passkey answers; undefined if it has another form. */
export function challengeOf(passkey: JsonObject): string | undefined {
  const { clientDataJSON } = responseOf(passkey);
  if (typeof clientDataJSON !== 'string') return undefined;
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the handle of the user whom the authenticator has signed in; undefined if it reports none. */
export function userHandleOf(passkey: JsonObject): string | undefined {
  const { userHandle } = responseOf(passkey);
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString('hex') : undefined;
}

function responseOf({ response }: JsonObject): JsonObject {
  return typeof response === 'object' && response !== null ? (response as JsonObject) : {};
}

/** Checks a new passkey. @returns its public key; undefined if the passkey is wrong */
export async function verifyNew(
  { id, origin }: RelyingParty,
  passkey: JsonObject,
  challenge: string,
): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await library();
  return orUndefined(async () => {
    if (!(await isWithoutCertificates(passkey))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey as unknown as RegistrationResponseJSON,
      ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
    });
    if (!registrationInfo) return undefined;
    const { id: credential, publicKey, counter } = registrationInfo.credential;
    const { transports } = responseOf(passkey);
    return {
      ...{ id: credential, publicKey: Buffer.from(publicKey).toString('base64url'), counter },
      transports: TRANSPORTS.filter((each) => Array.isArray(transports) && transports.includes(each)),
    };
  });
}

/**
 * Whether the passkey comes without certificates of a manufacturer. The options ask for none, so browsers remove them. To check
 * one, the library would request an address that the certificate contains.
 */
async function isWithoutCertificates(passkey: JsonObject): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { attestationObject } = responseOf(passkey);
  const attestation = decodeAttestationObject(bytesOf(attestationObject as string, 'base64url'));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** Checks a use of a passkey. @returns its new counter; undefined if the passkey is wrong */
export async function verifyUse(
  { id, origin }: RelyingParty,
  passkey: JsonObject,
  { credential, challenge, needsVerification }: ExpectedUse,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  return orUndefined(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: passkey as unknown as AuthenticationResponseJSON,
      ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id },
      requireUserVerification: needsVerification,
      credential: {
        ...{ id: credential.id, counter: credential.counter },
        publicKey: bytesOf(credential.publicKey, 'base64url'),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

interface ExpectedUse {
  readonly credential: Credential;
  readonly challenge: string;
  /** Whether the authenticator must have checked a PIN or a fingerprint. */
  readonly needsVerification: boolean;
}

/** The library throws an error for whatever a client has sent wrong. */
async function orUndefined<T>(check: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}

function bytesOf(text: string, encoding: BufferEncoding = 'hex'): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, encoding));
}
