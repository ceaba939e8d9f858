/** Codes of authenticator apps (RFC 6238: SHA-1, 6 digits, steps of 30 seconds; access.md §3). */

/** Steps before and after the current one whose codes are accepted. */
const DRIFT_STEPS = 1;
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;

const CODE = /^\d{6}$/;

/** Loads the library when the first code is checked. */
const library = () => import('otpauth');

/** @returns random bytes in base32 */
export async function newBase32(bytes = SECRET_BYTES): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: bytes }).base32;
}

/** Returns the address that authenticator apps read from a QR code. @param issuer the name of the store */
export async function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): Promise<string> {
  const { Secret, TOTP } = await library();
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * Returns the time step of a code.
 * @param secret in base32
 * @param now seconds since 1970
 * @returns undefined if the code is wrong
 */
export async function stepOfCode(secret: string, code: string, now: number): Promise<number | undefined> {
  if (!CODE.test(code)) return undefined;
  const { Secret, TOTP } = await library();
  const totp = { secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: STEP_SECONDS };
  const delta = TOTP.validate({ ...totp, token: code, timestamp: now * 1000, window: DRIFT_STEPS });
  return delta === null ? undefined : Math.floor(now / STEP_SECONDS) + delta;
}
