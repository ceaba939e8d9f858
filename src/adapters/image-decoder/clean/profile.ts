/** Decides which color profiles are preserved. Print profiles have up to 3 MB; larger or invalid ones are removed. */

const PROFILE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Checks the size, the declared size and the signature (ICC.1:2022, §7.2). Some writers pad the profile to four bytes.
 */
export function isProfile(bytes: Buffer): boolean {
  if (bytes.length < 128 || bytes.length > PROFILE_BYTES_MAX) return false;
  const padding = bytes.length - bytes.readUInt32BE(0);
  return padding >= 0 && padding < 4 && bytes.toString('latin1', 36, 40) === 'acsp';
}

export { PROFILE_BYTES_MAX };
