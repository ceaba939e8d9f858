/**
 * Compares the price calculation with the oracle of the tests on random carts (pricing.md §8, item 1). Prints how many carts had each
 * setting. After a difference, prints the smallest cart that fast-check found.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Input } from '../src/pricing/index.ts';
import { type Comparison, compared, comparedCart } from '../test/support/pricing-comparison.ts';
import { oracle } from '../test/support/pricing-oracle.ts';
import { Broken } from './ledger.ts';
import type { Run } from './report.ts';

/** Carts of one call of fast-check. Each call has its own seed, which repeats only these carts. */
const BATCH = 1000;
/** The explanation is compared for one batch in ten. */
const EXPLAINED = 10;
const SECONDS_BETWEEN_REPORTS = 30;

export interface PricingRun {
  readonly carts: number;
  /** Carts that are not rejected because of a price below 0. */
  readonly compared: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** @param carts number of carts; the run stops earlier after `minutesMax` minutes of processor time */
export async function pricing(
  run: Run,
  { carts, minutesMax }: { readonly carts: number; readonly minutesMax: number | undefined },
): Promise<PricingRun> {
  const counts = new Map<string, number>();
  const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  const before = process.cpuUsage();
  let reported = performance.now();
  let done = 0;
  for (let batch = 0; done < carts && minutesOf(before) < (minutesMax ?? Number.POSITIVE_INFINITY); batch += 1) {
    const size = Math.min(BATCH, carts - done);
    compareBatch(run, { seed: run.seed + batch, size, explain: batch % EXPLAINED === 0, count });
    done += size;
    if (performance.now() - reported > SECONDS_BETWEEN_REPORTS * 1000) {
      run.say(`${done} carts without a difference`);
      reported = performance.now();
    }
    // Lets signals through.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const negative = counts.get('a unit price below 0: only rejections compared') ?? 0;
  run.say(`${done} carts equal the oracle, in ${minutesOf(before).toFixed(1)} minutes of processor time.`);
  for (const [name, times] of [...counts].sort()) run.say(`${String(times).padStart(9)}  ${name}`);
  return { carts: done, compared: done - negative, counts };
}

interface Batch {
  readonly seed: number;
  readonly size: number;
  readonly explain: boolean;
  readonly count: (name: string) => unknown;
}

function compareBatch(run: Run, { seed, size, explain, count }: Batch): void {
  const property = fc.property(comparedCart(), (input) => {
    const comparison = compared({ ...input, explain });
    if (comparison.difference !== null) throw new Broken(comparison.difference);
    for (const name of settingsOf(input, comparison)) count(name);
  });
  const details = fc.check(property, { seed, numRuns: size });
  if (!details.failed) return;
  const [smallest] = details.counterexample!;
  const file = join(run.folder, 'cart.json');
  writeFileSync(file, JSON.stringify(plain({ ...smallest, explain }), null, 2));
  run.say(`The first difference is in the batch of --seed ${seed} --carts ${size}, after ${details.numRuns} carts.`);
  run.say(`Shrunk ${details.numShrinks} times: ${JSON.stringify(plain({ ...smallest, explain }))}`);
  run.say(`This cart is also in ${file}.`);
  throw details.errorInstance instanceof Error ? details.errorInstance : new Broken(String(details.errorInstance));
}

/** Replaces a function for shipping with its charges, so that JSON has the whole cart. */
function plain(input: Input): Input {
  if (typeof input.shipping !== 'function') return input;
  return { ...input, shipping: oracle(input).result.charges };
}

function minutesOf(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 60e6;
}

/** The names that a cart is counted under. */
function settingsOf({ rules, lines, shipping, coupons }: Input, { answer, isNegative, result }: Comparison): string[] {
  if (isNegative) return ['a unit price below 0: only rejections compared'];
  const settings = rules.tax_settings;
  const included = settings.prices_include_tax ? 'prices with tax' : 'prices without tax';
  const winners = new Set(answer.winners.map(({ kind }) => kind));
  const converted = result.lines.some(({ price }, index) => {
    const winner = answer.winners.find(({ scope }) => scope === `items[${index}]`);
    return winner !== undefined && winner.kind !== 'tax_rate' && winner.value !== price;
  });
  const size = [1, 5, 20, 100].find((most) => lines.length <= most)!;
  return [
    `currency ${rules.currency}`,
    `lines ≤ ${String(size).padStart(3)}`,
    `${included}, shipping ${settings.shipping}`,
    `${included}, rounding ${settings.rounding} of ${settings.rounding_target}`,
    ...(settings.prices_include_tax ? [`${included}, outside_zone ${settings.outside_zone}`] : []),
    ...(converted ? ['a converted price'] : []),
    ...(answer.isExempt ? ['exempt buyer'] : []),
    ...[...winners].map((kind) => `winner ${kind}`),
    ...(coupons.length > 0
      ? [`coupons that apply: ${result.discounts.filter((one) => one.kind === 'coupon').length}`]
      : []),
    ...(result.charges.length > 0 ? ['charges'] : []),
    typeof shipping === 'function' ? 'shipping by a function' : 'shipping as a list',
    ...(result.totals.total === 0 ? ['total 0'] : []),
  ];
}
