/**
 * Whether the time that a wrong key takes tells how much of it is right: Welch's t over two kinds of wrong keys, those that
 * begin as the right one does and those that do not, in process, where no network hides anything.
 */
import { findKey } from '../src/http/admission/authentication.ts';
import { digestOf, type KnownKey } from '../src/store/keys.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';

/** Beyond it two means differ (TVLA; a chance of one in 100,000 when they do not). */
const T_MAX = 4.5;
const KEY_LENGTH = 48;
/** Of the keys that are alike, so much at the end differs. */
const TAIL_LENGTH = 4;
const BATCH = 1000;
/** The slowest call in ten was interrupted: its time says nothing of the key. */
const USED_SHARE = 0.9;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

export interface Timing {
  readonly t: number;
  /** Welch's t of a comparison that stops at the first difference: shows how well the run would see one. */
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
  if (Math.abs(tOfLeak) < T_MAX) throw new Broken('A leak would not have been seen here: the machine is too busy.');
  if (Math.abs(t) > T_MAX) throw new Broken(`The time tells keys apart: |t| > ${T_MAX}.`);
  return { t, tOfLeak };
}

/** A comparison that a server must not make: it stops at the first difference. */
function startsAlike(key: string, right: string): number {
  let index = 0;
  while (index < right.length && key.charCodeAt(index) === right.charCodeAt(index)) index += 1;
  return index;
}

/**
 * Nanoseconds of each call. The two kinds come in random order, so that every drift meets both. Keys are made a batch
 * at a time, so that neither the making of a key nor its place in memory touches its time.
 */
function measured(
  random: Random,
  work: (key: string) => unknown,
  heads: readonly [string, string],
  samples: number,
): readonly [number[], number[]] {
  const times: [number[], number[]] = [[], []];
  // The first tenth is for the compiler.
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

/** Makes the text one piece of memory, as a header is: a joined text is put together only at its first read. */
function flat(joined: string): string {
  return Buffer.from(joined).toString('latin1');
}
