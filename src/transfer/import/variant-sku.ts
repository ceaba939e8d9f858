/**
 * Derives the SKU of a variant. The result is deterministic, so that another run finds the product again, but not
 * guaranteed to be unique: options that differ only in symbols (`L` and `L+`) give the same SKU.
 */
import { cleanUrlText } from '../../domain/rules/catalog/clean-url-text.ts';

/** Computes the SHA-256 of a text in UTF-8 as hex digits. Injected because Node and browsers have different APIs. */
export type Sha256 = (text: string) => string;

/** Returns the given SKU, or one built from handle and option values, shortened to 32 characters with a digest. */
export function variantSku(given: string, handle: string, optionValues: readonly string[], sha256: Sha256): string {
  const sku = given || [handle, cleanUrlText(optionValues.join(' '))].filter((part) => part !== '').join('-');
  const characters = [...sku];
  if (characters.length <= SKU_LENGTH_MAX) return sku;
  return `${characters.slice(0, PREFIX_LENGTH).join('')}-${sha256(sku).slice(0, DIGEST_LENGTH)}`;
}

const SKU_LENGTH_MAX = 32;
const PREFIX_LENGTH = 25;
const DIGEST_LENGTH = 6;
