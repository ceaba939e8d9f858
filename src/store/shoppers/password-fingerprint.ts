/** A change of the login is queued with a fingerprint of the password’s hash, because the password may change meanwhile. */
import type { Value } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';

/** @param password hash of the password; null if there is none */
export function passwordFingerprint(password: Value | undefined): string {
  return hashOf(String(password ?? ''));
}

/** Whether the account is enabled and has the password that the customer confirmed for the mail. */
export function isUnchanged(
  { status, password }: { readonly status?: Value; readonly password?: Value },
  data: { readonly fingerprint?: Value },
): boolean {
  return status === 'E' && data.fingerprint === passwordFingerprint(password);
}
