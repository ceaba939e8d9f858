/** Tokens of customers end when the password changes: their mails contain a fingerprint of its hash. */
import type { Value } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';

/** @param password hash of the password; null if there is none */
export function passwordFingerprint(password: Value | undefined): string {
  return hashOf(String(password ?? ''));
}

/** Whether a customer can still use a token: the account is enabled and has the password that it had when the mail was written. */
export function isUnchanged(
  { status, password }: { readonly status?: Value; readonly password?: Value },
  data: { readonly fingerprint?: Value },
): boolean {
  return status === 'E' && data.fingerprint === passwordFingerprint(password);
}
