/**
 * The operations below `/storefront` that are not reads of the catalog's views, in the order of the OpenAPI document. Each
 * operation that a route offers is declared in a module of this folder, whose list is added here.
 */
import type { DocumentContext } from '../openapi/components.ts';
import { addressOperations } from './addresses.ts';
import { cartOperations } from './carts.ts';
import { customerOperations } from './customer.ts';
import { MAILED_OPERATIONS } from './mailed.ts';
import type { ShopOperation } from './operation.ts';
import { orderOperations } from './orders.ts';
import type { DescribedView } from './records.ts';
import { SESSION_OPERATIONS } from './sessions.ts';
import { STORE_OPERATIONS } from './store.ts';

/** @param orders the view of a customer's own orders */
export function otherOperations(context: DocumentContext, orders: DescribedView): readonly ShopOperation[] {
  return [
    ...STORE_OPERATIONS,
    ...cartOperations(context),
    ...SESSION_OPERATIONS,
    ...MAILED_OPERATIONS,
    ...customerOperations(context, orders),
    ...addressOperations(context),
    ...orderOperations(context, orders),
  ];
}
