/** What requests about carts have in common: the cart of the path, conditions, responses (storefront.md §5). */
import type { FastifyRequest } from 'fastify';
import { committed, isProblem, type Problem, problem, type Unit } from '../../../engine/index.ts';
import { currentCart } from '../../../shop/carts/calculated.ts';
import type { CartOwner, CartSettings, CartWriting } from '../../../shop/carts/settings.ts';
import type { ShownCart } from '../../../shop/carts/shown-cart.ts';
import { noCart, rejectGone } from '../../../shop/carts/write.ts';
import { openCartOf, type StoredCart } from '../../../store/carts/stored-cart.ts';
import { findCart } from '../../../store/carts/tokens.ts';
import type { Rendered } from '../../cache/response-cache.ts';
import { preconditionProblem, recordTag } from '../../responses/entity-tags.ts';
import { rateLimitGroup } from '../../server/client-address.ts';
import { shopperOptions } from '../customers/requests.ts';
import { holdSession, noSession } from '../customers/session.ts';

/** Finds the cart of the path. */
export async function cartOf(request: FastifyRequest): Promise<StoredCart | Problem> {
  const { service, params, shopper } = request;
  const { token } = params as { readonly token: string };
  const reads = committed(service, shopperOptions(request));
  const now = service.clock.now();
  if (token !== MINE) {
    const cart = await findCart(reads, token);
    return cart ? (rejectForeign(request, cart) ?? rejectGone(cart, now) ?? cart) : noCart();
  }
  if (!shopper) return noSession();
  return (await openCartOf(reads, shopper.profile, now)) ?? noOpenCart();
}

/** Instead of a token: the open cart of the session’s customer. */
export const MINE = 'mine';

function noOpenCart(): Problem {
  return problem('not-found', 'The customer has no open cart. Create one with POST /storefront/carts.');
}

/** The cart of a customer needs the session of that customer. */
function rejectForeign({ shopper }: FastifyRequest, { customer_id }: StoredCart): Problem | undefined {
  if (customer_id === null || customer_id === shopper?.profile) return undefined;
  return shopper ? noCart() : noSession();
}

/** Reads the session’s customer, whose profile is locked. */
export async function readOwner(unit: Unit, id: number): Promise<CartOwner> {
  const [profile] = await unit.list('Profile', { id }, { only: ['login'] });
  return { id, login: profile!.login as string };
}

export function writingOf(request: FastifyRequest, settings: CartSettings): CartWriting {
  return {
    settings,
    address: rateLimitGroup(request.ip),
    begin: async (unit) => (request.shopper ? holdSession(unit, request) : undefined),
    check: async (unit, cart) => rejectForeign(request, cart) ?? checkConditions(request, unit, cart, settings),
  };
}

/** The unit of a login has locked the profile, and its conditions are not about the cart. */
export function loginWriting(request: FastifyRequest, settings: CartSettings): CartWriting {
  const accept = async (): Promise<undefined> => undefined;
  return { settings, address: rateLimitGroup(request.ip), begin: accept, check: accept };
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

/** Reads the cart of the path with its current prices. */
export async function readCart(request: FastifyRequest, settings: CartSettings): Promise<Rendered | Problem> {
  const cart = await cartOf(request);
  if (isProblem(cart)) return cart;
  const reads = committed(request.service, shopperOptions(request));
  return renderCart(request, await currentCart(reads, cart, settings));
}
