/** Saves cells of the variants' grid: each only if the variant still has the value that the user saw. */
import type { VariantOutput } from 'purveyor/client';
import { readVersions, sendLines, variantsOf } from '../../api/bulk.ts';
import { fieldOf, type Values } from '../../api/record-diff.ts';
import { readAll } from '../../api/runtime-requests.ts';
import { parseNumber } from '../../utils/format.ts';
import { offerUndo } from '../../utils/undo.ts';

export type CellField = 'sku' | 'price' | 'amount' | 'weight';
export const CELL_FIELDS: readonly CellField[] = ['sku', 'price', 'amount', 'weight'];

/** A text that was typed or pasted into a cell. */
export interface CellChange {
  readonly variant: VariantOutput;
  readonly name: string;
  readonly field: CellField;
  readonly text: string;
}

interface SavedCells {
  readonly saved: number;
  /** For each variant that was not saved, its name and why. */
  readonly problems: readonly string[];
}

const flagOf = (field: CellField): string => `default_${field}`;

/** An empty number means the product's. A text that is not a number is sent as it is, so that the store explains what is wrong. */
function bodyOf({ field, text }: CellChange): Values {
  if (field === 'sku') return { sku: text === '' ? null : text };
  return text === '' ? { [flagOf(field)]: true } : { [field]: parseNumber(text) ?? text };
}

/** What restores the variant's values. */
function before(variant: VariantOutput, fields: readonly string[]): Values {
  const values = fields.map((field) =>
    field !== 'sku' && fieldOf(variant, flagOf(field as CellField)) === true
      ? [flagOf(field as CellField), true]
      : [field, fieldOf(variant, field)],
  );
  return Object.fromEntries(values);
}

/** Whether a cell gets another value. */
export function isChange({ variant, field, text }: CellChange): boolean {
  if (field === 'sku') return text !== (variant.sku ?? '');
  if (text === '') return fieldOf(variant, flagOf(field)) === false;
  return parseNumber(text) !== variant[field];
}

/** @param conflict describes a variant that someone else has changed. @throws {StoreProblem} if the store rejects a request */
export async function saveCells(
  product_id: number,
  changes: readonly CellChange[],
  conflict: (name: string) => string,
): Promise<SavedCells> {
  const target = variantsOf(product_id);
  const byVariant = Map.groupBy(changes.filter(isChange), ({ variant }) => variant.id);
  const versions = await readVersions(target, [...byVariant.keys()]);
  const current = new Map(
    (await readAll('/products/{product_id}/variants', { product_id })).map((variant) => [variant.id, variant]),
  );
  const problems: string[] = [];
  const rows = [...byVariant.values()].flatMap((cells) => {
    const [{ variant, name }] = cells as [CellChange];
    const now = current.get(variant.id);
    const isUnchanged = now && cells.every(({ field }) => now[field] === variant[field]);
    if (!isUnchanged) problems.push(conflict(name));
    return isUnchanged ? [{ variant, name, cells }] : [];
  });
  const results = await sendLines(
    target,
    rows.map(({ variant, cells }) => ({
      key: variant.id,
      if_match: versions.get(variant.id)!,
      body: Object.assign({}, ...cells.map(bodyOf)) as Values,
    })),
  );
  const undone = rows.flatMap(({ variant, name, cells }, at) => {
    const { version, result, problem, status } = results[at]!;
    if (result === 'failed') {
      problems.push(
        status === 412 ? conflict(name) : `${name}: ${problem?.violations?.[0]?.message ?? problem?.detail}`,
      );
      return [];
    }
    const fields = cells.map(({ field }) => field);
    return [{ key: variant.id, name, version: version!, before: before(variant, fields) }];
  });
  if (undone.length > 1)
    offerUndo({
      message: 'variants.changed',
      args: { smart_count: undone.length },
      batches: [{ ...target, lines: undone }],
    });
  return { saved: undone.length, problems };
}
