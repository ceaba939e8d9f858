/** Sizes the parts in which many records are read, so that a part has few bytes even if its records are large. */

const BYTES = 1_048_576;
const RECORDS_MAX = 100;
/** Growth from one part to the next. */
const FACTOR = 4;

/** Records of the first part, whose size is unknown. */
export const FIRST_PART_SIZE = 4;

/**
 * @param size maximum number of records of the last part
 * @param lengths of its records
 */
export function nextPartSize(size: number, lengths: readonly number[]): number {
  const fitting = Math.floor(BYTES / Math.max(1, ...lengths));
  return Math.max(1, Math.min(fitting, size * FACTOR, RECORDS_MAX));
}
