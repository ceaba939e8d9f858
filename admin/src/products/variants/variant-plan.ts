/** Attributes, options and SKUs as they are typed for the variants of a product. */
import type { VariantOutput } from 'purveyor/client';
import { missingCombinations } from './combinations.ts';

/** The maximum length of a SKU (catalog.md §1). */
export const SKU_LENGTH_MAX = 32;

interface TypedOption {
  readonly label: string;
  /** The product's value, such as `select:5`; undefined for an option that the product does not have yet. */
  readonly value?: string;
}

export interface TypedAttribute {
  readonly key: string;
  readonly name: string;
  /** Of a product's attribute; undefined for a new one. Only options of `select` can be added. */
  readonly kind?: 'select' | 'checkbox';
  readonly options: readonly TypedOption[];
  /** The text behind the last comma. */
  readonly rest: string;
}

/** Splits a text at commas, semicolons, tabs and line breaks: each ends an option. */
export function splitOptions(text: string): { options: string[]; rest: string } {
  const parts = text.split(/[,;\t\n]/);
  const rest = parts.pop()!;
  return { options: parts.map((part) => part.trim()).filter(Boolean), rest };
}

const isSameText = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

/** Adds options that the attribute does not have. */
export function withOptions(attribute: TypedAttribute, labels: readonly string[]): TypedAttribute {
  const options = [...attribute.options];
  for (const label of labels)
    if (label.trim() !== '' && !options.some((option) => isSameText(option.label, label)))
      options.push({ label: label.trim() });
  return { ...attribute, options };
}

/** All options of an attribute, including the one that is being typed. */
export const optionsOf = (attribute: TypedAttribute): readonly TypedOption[] =>
  withOptions(attribute, splitOptions(`${attribute.rest},`).options).options;

/** A variant to be made: an option of each attribute. */
export interface PlannedVariant {
  readonly sku: string;
  readonly options: readonly { readonly attribute: TypedAttribute; readonly option: TypedOption }[];
}

/** Returns a key for each value of a variant. Checkbox and select values have separate ids. */
export const valueKeys = (
  variant: Pick<VariantOutput, 'attribute_checkbox_values' | 'attribute_select_values'>,
): string[] => [
  ...variant.attribute_checkbox_values.map((id) => `checkbox:${id}`),
  ...variant.attribute_select_values.map((id) => `select:${id}`),
];

/** @param pattern of SKUs, for example `{sku}-{size}`; empty for variants without a SKU */
export function planVariants(
  attributes: readonly TypedAttribute[],
  existing: readonly VariantOutput[],
  pattern: string,
  sku: string,
): { variants: PlannedVariant[]; isTooMany: boolean } {
  const named = attributes.filter((attribute) => attribute.name.trim() !== '' && optionsOf(attribute).length > 0);
  const byKey = new Map(
    named.flatMap((attribute, at) =>
      optionsOf(attribute).map((option) => [option.value ?? `${at}:${option.label}`, { attribute, option }] as const),
    ),
  );
  const axes = named.map((attribute, at) => optionsOf(attribute).map(({ value, label }) => value ?? `${at}:${label}`));
  const { missing, isTooMany } = missingCombinations(axes, existing.map(valueKeys));
  const variants = missing.map((keys) => {
    const options = keys.map((key) => byKey.get(key)!);
    return { options, sku: skuFor(pattern, sku, options) };
  });
  return { variants, isTooMany };
}

/** Returns the placeholder of an attribute: `{shoe size}`. */
const placeholderOf = ({ name }: Pick<TypedAttribute, 'name'>): string => `{${name.trim().toLowerCase()}}`;

export const defaultPattern = (attributes: readonly TypedAttribute[]): string =>
  ['{sku}', ...attributes.filter(({ name }) => name.trim() !== '').map(placeholderOf)].join('-');

function skuFor(pattern: string, sku: string, options: PlannedVariant['options']): string {
  const values = new Map<string, string>([['{sku}', sku]]);
  for (const { attribute, option } of options) values.set(placeholderOf(attribute), option.label.replace(/\s+/g, '-'));
  return pattern.trim().replace(/\{[^{}]*\}/g, (placeholder) => values.get(placeholder.toLowerCase()) ?? placeholder);
}

/** Returns the placeholders of a pattern that no attribute has. */
export function unknownPlaceholders(pattern: string, attributes: readonly TypedAttribute[]): string[] {
  const known = new Set(['{sku}', ...attributes.map(placeholderOf)]);
  return (pattern.match(/\{[^{}]*\}/g) ?? []).filter((placeholder) => !known.has(placeholder.toLowerCase()));
}

/** Changes of a cell that several rows get, from a text copied from a spreadsheet. */
export function pastedCells(text: string): string[][] {
  const rows = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return rows.map((row) => row.split('\t').map((cell) => cell.trim()));
}
