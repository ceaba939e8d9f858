/**
 * The number of rounds of a race or of random steps: few in `npm test`, where each run has new random values, and many in
 * `test/faults/rounds.test.ts`.
 */
const areMany = process.env.TEST_ROUNDS === 'many';

export function rounds(few: number, many: number): number {
  return areMany ? many : few;
}
