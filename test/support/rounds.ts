/**
 * How often a race, or a draw of random steps, is tried: a few times in `npm test`, where each try takes place on both
 * databases and each run draws anew, and many times in `test/faults/rounds.test.ts`.
 */
const areMany = process.env.TEST_ROUNDS === 'many';

export function rounds(few: number, many: number): number {
  return areMany ? many : few;
}
