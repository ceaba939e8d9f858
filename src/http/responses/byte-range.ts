/** Parses a `Range` header (RFC 9110 §14). */
import type { FilePart } from '../../engine/index.ts';

/**
 * @returns the range; `none` if it contains no byte of the file; undefined if the whole file should be sent, also for several
 *   ranges, whose response could be larger than the file, and for invalid headers
 */
export function readRange(header: string | undefined, sizeBytes: number): FilePart | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? 'none' : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= sizeBytes ? 'none' : { first, last };
}
