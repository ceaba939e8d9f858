/**
 * Tests whether the time to reject a key reveals how much of it is correct: Welch's t-test on wrong keys with and without a
 * correct prefix. Runs in process, without network noise.
 */
import { findKey } from '../src/http/admission/authentication.ts';
import { digestOf, type KnownKey } from '../src/store/keys.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';

/** Above this value the means differ (TVLA; false positive rate 1 in 100,000). */
const T_MAX = 4.5;
const KEY_LENGTH = 48;
/** Length of the wrong suffix after a correct prefix. */
const TAIL_LENGTH = 4;
const BATCH = 1000;
/** The slowest tenth of the calls is discarded, because it was interrupted. */
const USED_SHARE = 0.9;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export interface Timing {
  readonly t: number;
  /** Welch's t for a comparison that stops at the first difference: shows whether the run can detect a leak. */
  readonly tOfLeak: number;
}

export function keyTiming({ seed, say }: Run, { samples }: { readonly samples: number }): Timing {
  const random = new Random(seed, 'keys');
  const right = text(random, KEY_LENGTH);
  const heads = [right.slice(0, -TAIL_LENGTH), `-${text(random, KEY_LENGTH - TAIL_LENGTH - 1)}`] as const;
  const known: KnownKey[] = [{ name: 'right', kind: 'read-write', digest: digestOf(right) }];
  const ours = (key: string): unknown => findKey(digestOf(key), known, [], 0);
  const leak = (key: string): unknown => startsAlike(key, right);
  const t = welch(measured(random, ours, heads, samples));
  const tOfLeak = welch(measured(random, leak, heads, samples));
  say(`${samples} samples: t = ${t.toFixed(2)}; a comparison that stops early: t = ${tOfLeak.toFixed(2)}`);
  if (Math.abs(tOfLeak) < T_MAX)
    throw new Broken('This machine is too busy to detect a leak. Try again when it is idle.');
  if (Math.abs(t) > T_MAX) throw new Broken(`The time depends on the key: |t| > ${T_MAX}.`);
  return { t, tOfLeak };
}

/** An unsafe comparison that stops at the first difference. */
function startsAlike(key: string, right: string): number {
  let index = 0;
  while (index < right.length && key.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return index;
}

/**
 * Measures the nanoseconds of each call. The two kinds alternate randomly, so that drift affects both. Keys are created in
 * batches, so that their creation and their memory location do not affect the times.
 */
function measured(
  random: Random,
  work: (key: string) => unknown,
  heads: readonly [string, string],
  samples: number,
): readonly [number[], number[]] {
  const times: [number[], number[]] = [[], []];
  // The first tenth is the warm-up.
  for (let sample = -samples / 10; sample < samples; sample += BATCH) {
    const kinds = Array.from({ length: BATCH }, () => random.whole(0, 1));
    const keys = kinds.map((kind) => flat(heads[kind]! + text(random, TAIL_LENGTH)));
    const taken = keys.map((key) => {
      const start = process.hrtime.bigint();
      work(key);
      return Number(process.hrtime.bigint() - start);
    });
    if (sample >= 0) for (const [index, kind] of kinds.entries()) times[kind]!.push(taken[index]!);
  }
  const limit = times.flat().sort((one, other) => one - other)[Math.floor(samples * USED_SHARE)]!;
  return [times[0].filter((time) => time < limit), times[1].filter((time) => time < limit)];
}

function welch([one, other]: readonly [readonly number[], readonly number[]]): number {
  const [mean, variance] = meanAndVariance(one);
  const [otherMean, otherVariance] = meanAndVariance(other);
  return (mean - otherMean) / Math.sqrt(variance / one.length + otherVariance / other.length);
}

function meanAndVariance(values: readonly number[]): readonly [number, number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [mean, values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)];
}

function text(random: Random, length: number): string {
  return Array.from({ length }, () => CHARACTERS[random.whole(0, CHARACTERS.length - 1)]).join('');
}

/** Flattens a string like that of a header: V8 otherwise concatenates it at its first read. */
function flat(joined: string): string {
  return Buffer.from(joined).toString('latin1');
}
