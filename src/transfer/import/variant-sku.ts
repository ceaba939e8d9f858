/**
 * The SKU that a variant has in the store: the same on every run, so that a second run finds the product again.
 * It does not promise to be unique: options that differ only in signs (`L` and `L+`) give the same one.
 */
import { cleanUrlText } from '../../domain/rules/catalog/clean-url-text.ts';

/** The SHA-256 of a text in UTF-8, as hex digits: Node and a page have it from different places. */
export type Sha256 = (text: string) => string;

/** The given SKU, or one made from the handle and the option values; cut to what the store takes. */
export function variantSku(given: string, handle: string, optionValues: readonly string[], sha256: Sha256): string {
  const sku = given || [handle, cleanUrlText(optionValues.join(' '))].filter((part) => part !== '').join('-');
  const characters = [...sku];
  if (characters.length <= SKU_LENGTH_MAX) return sku;
  return `${characters.slice(0, KEPT_LENGTH).join('')}-${sha256(sku).slice(0, DIGEST_LENGTH)}`;
}

const SKU_LENGTH_MAX = 32;
const KEPT_LENGTH = 25;
const DIGEST_LENGTH = 6;
