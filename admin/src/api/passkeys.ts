/** Passkeys of the browser (https://www.w3.org/TR/webauthn-3/). Its own methods convert their options and answers to and from JSON. */
import { requestSession } from './client.ts';

/** Whether users of the store can have passkeys at this address, which the page’s document says. */
export function storeHasPasskeys(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="purveyor-passkeys"]')?.content === location.origin;
}

/** Whether a passkey can be used on this page. Browsers have them only at HTTPS addresses and on localhost. */
export function hasPasskeys(): boolean {
  return storeHasPasskeys() && globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined;
}

/** Where a passkey is used. */
export type PasskeyUse = '/admin/session' | '/admin/session/confirm';

/** Asks the user for a passkey. @param ticket of a sign-in with a password */
export async function askForPasskey(use: PasskeyUse, ticket?: string): Promise<object> {
  const body = ticket === undefined ? {} : { ticket };
  const options = await requestSession<PublicKeyCredentialRequestOptionsJSON>('POST', body, `${use}/passkey`);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options!);
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** Lets the user create a passkey. @param options of the store */
export async function createPasskey(options: object): Promise<Record<string, unknown>> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return toJson(await navigator.credentials.create({ publicKey }));
}

function toJson(credential: Credential | null): Record<string, unknown> {
  return (credential as PublicKeyCredential).toJSON() as unknown as Record<string, unknown>;
}

/** Returns the key of a message for an error of the browser; undefined for other errors. */
export function passkeyMessage(error: unknown): string | undefined {
  if (!(error instanceof DOMException)) return undefined;
  if (error.name === 'InvalidStateError') return 'passkey.known';
  return error.name === 'NotAllowedError' ? 'passkey.cancelled' : 'passkey.failed';
}
