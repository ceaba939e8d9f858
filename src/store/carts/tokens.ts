/** Tokens of carts (storefront.md §5). Only their hashes are stored. */
import { randomBytes } from 'node:crypto';
import type { Reads } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { type StoredCart, storedCart } from './stored-cart.ts';

const TOKEN = /^pv_ct_[\w-]{43}$/;
const TOKEN_BYTES = 32;

export function newCartToken(): { readonly token: string; readonly hash: string } {
  const token = `pv_ct_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  return { token, hash: hashOf(token) };
}

/** @returns undefined if no cart has this token */
export async function findCart(reads: Reads, token: string): Promise<StoredCart | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [row] = await reads.list('Cart', { hash: hashOf(token) });
  return row && storedCart(row);
}
