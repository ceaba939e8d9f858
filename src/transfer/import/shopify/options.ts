/**
 * The options that tell the variants of a handle apart: `Size: Small`, `Colour: Red`. The names of the options stand in
 * the row that has the title, and count for every row of the handle.
 */
import { nameMatch } from '../../../engine/text-forms.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { OptionRow } from '../import-row.ts';

/** Shopify's value for the one variant of a product without options. */
const NO_OPTION = 'Default Title';

const OPTIONS = [1, 2, 3].map((number) => ({ name: `Option${number} Name`, value: `Option${number} Value` }));

/** The values that tell a variant from its sisters; none for the one variant of a product without options. */
export function optionValuesOf(variant: CsvRow): string[] {
  const values = OPTIONS.map(({ value }) => variant.cell(value) ?? '').filter((value) => value !== '');
  return values.length === 1 && values[0] === NO_OPTION ? [] : values;
}

interface VariantOptions {
  readonly options: readonly OptionRow[];
  /** Values that belong to no option of their own, each with the reason. */
  readonly unnamed: readonly { readonly value: string; readonly reason: string }[];
}

/** The options of a variant with their values. A file without columns of option names has none. */
export function readOptions(product: CsvRow, variant: CsvRow): VariantOptions {
  const options: OptionRow[] = [];
  const unnamed: { value: string; reason: string }[] = [];
  if (optionValuesOf(variant).length === 0) return { options, unnamed };
  for (const columns of OPTIONS) {
    const name = product.cell(columns.name);
    const value = variant.cell(columns.value);
    if (name === undefined || !value) continue;
    if (name === '') unnamed.push({ value, reason: `${columns.name} in row ${product.line} is empty` });
    else if (options.some((option) => nameMatch(option.name) === nameMatch(name)))
      unnamed.push({ value, reason: `${columns.name} in row ${product.line} is "${name}" for the second time` });
    else options.push({ name, value });
  }
  return { options, unnamed };
}
