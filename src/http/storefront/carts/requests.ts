/** What requests about carts have in common: the cart of the path, conditions, responses (storefront.md §5). */
import type { FastifyRequest } from 'fastify';
import { committed, isProblem, type Problem, type Unit } from '../../../engine/index.ts';
import { currentCart } from '../../../shop/carts/calculated.ts';
import type { CartSettings, CartWriting } from '../../../shop/carts/settings.ts';
import type { ShownCart } from '../../../shop/carts/shown-cart.ts';
import { noCart, rejectGone } from '../../../shop/carts/write.ts';
import type { StoredCart } from '../../../store/carts/stored-cart.ts';
import { findCart } from '../../../store/carts/tokens.ts';
import type { Rendered } from '../../cache/response-cache.ts';
import { preconditionProblem, recordTag } from '../../responses/entity-tags.ts';
import { rateLimitGroup } from '../../server/client-address.ts';
import { shopperOptions } from '../customers/requests.ts';

/** Finds the cart of the path. */
export async function cartOf(request: FastifyRequest): Promise<StoredCart | Problem> {
  const { service, params } = request;
  const { token } = params as { readonly token: string };
  const cart = await findCart(committed(service, shopperOptions(request)), token);
  return cart ? (rejectGone(cart, service.clock.now()) ?? cart) : noCart();
}

export function writingOf(request: FastifyRequest, settings: CartSettings): CartWriting {
  return {
    settings,
    address: rateLimitGroup(request.ip),
    check: (unit, cart) => checkConditions(request, unit, cart, settings),
  };
}

/** `If-Match` compares the number of writes. Only a failed condition needs the whole tag, for its response. */
async function checkConditions(
  { headers }: FastifyRequest,
  unit: Unit,
  cart: StoredCart,
  settings: CartSettings,
): Promise<Problem | undefined> {
  const conditions = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
  const { ifMatch, ifNoneMatch } = conditions;
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  if (ifNoneMatch === undefined && !preconditionProblem(conditions, '', cart.revision)) return undefined;
  return preconditionProblem(conditions, tagOf(await currentCart(unit, cart, settings)), cart.revision);
}

function tagOf({ body, revision }: ShownCart): string {
  return recordTag(revision, JSON.stringify(body), true);
}

export function renderCart({ requestContext }: FastifyRequest, cart: ShownCart): Rendered {
  return {
    body: JSON.stringify(cart.body),
    etag: tagOf(cart),
    headers: { 'content-language': requestContext.language },
  };
}

/** Reads the cart of the path with its prices of now. */
export async function readCart(request: FastifyRequest, settings: CartSettings): Promise<Rendered | Problem> {
  const cart = await cartOf(request);
  if (isProblem(cart)) return cart;
  const reads = committed(request.service, shopperOptions(request));
  return renderCart(request, await currentCart(reads, cart, settings));
}
