/** Changes of many records with one request, each only if it still has the version that the user saw. */
import type { BulkResultOutput } from 'purveyor/client';
import { store } from './client.ts';
import type { Values } from './record-diff.ts';
import type { PathParameters } from './runtime-requests.ts';

type BulkPath = '/products/bulk' | '/products/{product_id}/variants/bulk';

/** The records of a bulk request. */
export interface BulkTarget {
  readonly path: BulkPath;
  readonly parameters: PathParameters;
}

export const PRODUCTS: BulkTarget = { path: '/products/bulk', parameters: {} };

export const variantsOf = (product_id: number): BulkTarget => ({
  path: '/products/{product_id}/variants/bulk',
  parameters: { product_id },
});

interface BulkLine {
  readonly op?: 'upsert' | 'delete';
  readonly key: number | string;
  readonly if_match?: number;
  readonly body?: Values;
}

interface BulkOptions {
  readonly mode?: 'update' | 'create';
  /** The field that identifies records: `id` if left out. */
  readonly key?: 'id' | 'sku';
  readonly dryRun?: boolean;
}

/** Sends the lines. @returns a result for each line, in order. @throws {StoreProblem} if the store rejects the request itself */
export async function sendLines(
  { path, parameters }: BulkTarget,
  lines: readonly BulkLine[],
  { key = 'id', mode = 'update', dryRun = false }: BulkOptions = {},
): Promise<BulkResultOutput[]> {
  if (lines.length === 0) return [];
  const written = lines.map((line) => ({ op: 'upsert', ...line }));
  const options = { ...(key === 'id' ? { key } : {}), mode, dryRun };
  const send = store.bulk as unknown as (path: string, ...rest: unknown[]) => AsyncIterable<BulkResultOutput>;
  const results: BulkResultOutput[] = [];
  for await (const result of path.includes('{')
    ? send(path, parameters, written, options)
    : send(path, written, options))
    results.push(result);
  return results;
}

/**
 * Returns the current version of each record. Lists do not have versions, but a bulk that changes nothing reports them. If the values
 * are read afterwards, a change in between makes the version too old, so that it is noticed.
 */
export async function readVersions(target: BulkTarget, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const results = await sendLines(
    target,
    ids.map((key) => ({ key, body: {} })),
    { dryRun: true },
  );
  return new Map(results.flatMap(({ id, version }) => (version === null ? [] : [[Number(id), version]])));
}
