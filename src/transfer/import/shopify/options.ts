/**
 * Reads the options that distinguish the variants of a handle: `Size: Small`, `Color: Red`. The option names are in the row
 * with the title and apply to every row of the handle.
 */
import { nameMatch } from '../../../engine/text-forms.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { OptionRow } from '../import-row.ts';

/** Shopify's value for the only variant of a product without options. */
const NO_OPTION = 'Default Title';

const OPTIONS = [1, 2, 3].map((number) => ({ name: `Option${number} Name`, value: `Option${number} Value` }));

/** Returns the option values of a variant; none for the only variant of a product without options. */
export function optionValuesOf(variant: CsvRow): string[] {
  const values = OPTIONS.map(({ value }) => variant.cell(value) ?? '').filter((value) => value !== '');
  return values.length === 1 && values[0] === NO_OPTION ? [] : values;
}

interface VariantOptions {
  readonly options: readonly OptionRow[];
  /** Values without an option name of their own, with the reasons. */
  readonly unnamed: readonly { readonly value: string; readonly reason: string }[];
}

/** Reads the options of a variant. A file without columns for option names has none. */
export function readOptions(product: CsvRow, variant: CsvRow): VariantOptions {
  const options: OptionRow[] = [];
  const unnamed: { value: string; reason: string }[] = [];
  if (optionValuesOf(variant).length === 0) return { options, unnamed };
  for (const columns of OPTIONS) {
    const name = product.cell(columns.name);
    const value = variant.cell(columns.value);
    if (name === undefined || !value) continue;
    if (name === '') unnamed.push({ value, reason: `${columns.name} in row ${product.line} is empty. Fill it in.` });
    else if (options.some((option) => nameMatch(option.name) === nameMatch(name)))
      unnamed.push({
        value,
        reason: `${columns.name} in row ${product.line} repeats the name "${name}". Give each option its own name.`,
      });
    else options.push({ name, value });
  }
  return { options, unnamed };
}
