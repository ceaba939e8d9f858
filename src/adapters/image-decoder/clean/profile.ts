/** Which colour profiles are kept. Profiles for print have up to 3 MB; what is larger, or no profile at all, goes. */

const PROFILE_BYTES_MAX = 4 * 1024 * 1024;

/** By its size, its own word about it and its signature (ICC.1:2022, §7.2); some writers pad it to four bytes. */
export function isProfile(bytes: Buffer): boolean {
  if (bytes.length < 128 || bytes.length > PROFILE_BYTES_MAX) return false;
  const padding = bytes.length - bytes.readUInt32BE(0);
  return padding >= 0 && padding < 4 && bytes.toString('latin1', 36, 40) === 'acsp';
}

export { PROFILE_BYTES_MAX };
