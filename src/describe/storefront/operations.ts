/**
 * The operations below `/storefront` that are not reads of views, in the order of the OpenAPI document. Each operation that a
 * route offers is declared in a module of this folder, whose list is added here.
 */
import { MAILED_OPERATIONS } from './mailed.ts';
import type { ShopOperation } from './operation.ts';
import { STORE_OPERATIONS } from './store.ts';

export const OPERATIONS: readonly ShopOperation[] = [...STORE_OPERATIONS, ...MAILED_OPERATIONS];
