/** A change of many products: planned, tried with `dry_run`, applied with the versions that were read, and offered for undoing. */
import type { BulkResultOutput, ProductOutput } from 'purveyor/client';
import { type BulkTarget, PRODUCTS, readVersions, sendLines } from '../../api/bulk.ts';
import { fieldOf, isSame, type Values } from '../../api/record-diff.ts';
import { readPage } from '../../api/runtime-requests.ts';
import { offerUndo } from '../../utils/undo.ts';

export interface PlannedLine {
  readonly key: number;
  readonly name: string;
  readonly version: number;
  readonly body: Values;
  /** What restores the record. */
  readonly before: Values;
}

export interface PlannedBatch {
  readonly target: BulkTarget;
  readonly lines: readonly PlannedLine[];
}

export interface Outcome {
  readonly products: number;
  readonly variants: number;
  /** What changes, products first. */
  readonly changed: readonly PlannedLine[];
  readonly unchanged: number;
  /** For each record that failed, its name and why. */
  readonly problems: readonly string[];
}

const IDS_PER_REQUEST = 100;

/** Reads products with these fields. */
export async function readProducts(ids: readonly number[], fields: readonly string[]): Promise<ProductOutput[]> {
  const products: ProductOutput[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
    const filter = { id: ids.slice(start, start + IDS_PER_REQUEST), fields: ['id', 'name', ...fields].join() };
    products.push(...(await readPage('/products', {}, { filter, itemsPerPage: IDS_PER_REQUEST })).data);
  }
  return products;
}

/**
 * Plans a change of products.
 * @param bodyOf the fields to change; null if the product does not change
 * @param inputOf the value of a field as a request contains it
 */
export async function planProducts(
  ids: readonly number[],
  fields: readonly string[],
  bodyOf: (product: ProductOutput) => Values | null,
  inputOf: (product: ProductOutput, field: string) => unknown = fieldOf,
): Promise<PlannedBatch> {
  const versions = await readVersions(PRODUCTS, ids);
  const lines = (await readProducts(ids, fields)).flatMap((product) => {
    const body = bodyOf(product);
    const version = versions.get(product.id);
    if (body === null || version === undefined) return [];
    const before = Object.fromEntries(Object.keys(body).map((field) => [field, inputOf(product, field)]));
    return isSame(before, body) ? [] : [{ key: product.id, name: product.name, version, body, before }];
  });
  return { target: PRODUCTS, lines };
}

const linesOf = (lines: readonly PlannedLine[]) =>
  lines.map(({ key, version, body }) => ({ key, if_match: version, body }));

/** Tries the change. @param count how many records were selected */
export async function preview(batches: readonly PlannedBatch[], count: number): Promise<Outcome> {
  const results: BulkResultOutput[][] = [];
  for (const { target, lines } of batches) results.push(await sendLines(target, linesOf(lines), { dryRun: true }));
  return outcomeOf(batches, results, count);
}

/** Applies the change. @param message key of the message that offers to undo it; it has the placeholder `smart_count` */
export async function apply(batches: readonly PlannedBatch[], count: number, message: string): Promise<Outcome> {
  const results: BulkResultOutput[][] = [];
  for (const { target, lines } of batches) results.push(await sendLines(target, linesOf(lines)));
  const outcome = outcomeOf(batches, results, count);
  offerUndo({
    message,
    args: { smart_count: outcome.products },
    batches: batches.map(({ target, lines }, at) => ({
      ...target,
      lines: lines.flatMap(({ key, name, before }, line) => {
        const { result, version } = results[at]![line]!;
        return result === 'updated' ? [{ key, name, before, version: version! }] : [];
      }),
    })),
  });
  return outcome;
}

function outcomeOf(
  batches: readonly PlannedBatch[],
  results: readonly (readonly BulkResultOutput[])[],
  count: number,
): Outcome {
  let [products, variants] = [0, 0];
  const problems: string[] = [];
  const changed: PlannedLine[] = [];
  for (const [at, { target, lines }] of batches.entries())
    for (const [line, { result, problem }] of results[at]!.entries()) {
      const reason = problem?.violations?.[0]?.message ?? problem?.detail ?? '';
      if (result === 'failed') problems.push(`${lines[line]!.name}: ${reason}`);
      if (result !== 'updated') continue;
      changed.push(lines[line]!);
      if (target === PRODUCTS) products += 1;
      else variants += 1;
    }
  return { products, variants, changed, unchanged: Math.max(0, count - products - problems.length), problems };
}
