/** `/storefront/carts`: the carts of shoppers (storefront.md §5). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  committed,
  inUnit,
  isProblem,
  type JsonObject,
  type Problem,
  problem,
  type RequestOptions,
  type Unit,
} from '../../../engine/index.ts';
import { shippingOptionsOf } from '../../../shop/carts/calculated.ts';
import { readCartChange, readCoupon, readLineChange, readLines, readNewCart } from '../../../shop/carts/inputs.ts';
import type { Rejection } from '../../../shop/carts/limits.ts';
import { assignCart } from '../../../shop/carts/merge.ts';
import type { CartSettings, CartWriting } from '../../../shop/carts/settings.ts';
import type { ShownCart } from '../../../shop/carts/shown-cart.ts';
import {
  addCoupon,
  addNewLines,
  changeCart,
  changeLine,
  createCart,
  deleteCart,
  dropCoupon,
  dropLine,
  noCart,
  setFields,
} from '../../../shop/carts/write.ts';
import { findCart } from '../../../store/carts/tokens.ts';
import type { AdmissionControl } from '../../admission/admission-control.ts';
import { type Attempt, respondOnce, type WriteResponse } from '../../resources/idempotency.ts';
import type { Handle } from '../../resources/reads.ts';
import { readJsonObject, readJsonObjects } from '../../resources/request-body.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendOutcome, sendProblem, sendRendered } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import {
  CUSTOMER_ROUTE,
  CUSTOMER_WRITE,
  customerBody,
  readNoParameters,
  sendJson,
  shopperOptions,
} from '../customers/requests.ts';
import { cartOf, MINE, readCart, readOwner, renderCart, writingOf } from './requests.ts';

const PATH = `${STOREFRONT_PATH}/carts`;
const ONE = `${PATH}/:token`;

/** What the handlers share. */
interface Carts {
  readonly settings: CartSettings;
  readonly control: AdmissionControl;
}

/** Writes a cart in an open unit. */
type Work = (unit: Unit, cart: number, writing: CartWriting) => Promise<ShownCart | Problem | Rejection>;

export function registerCartRoutes(app: FastifyInstance, options: HttpOptions, control: AdmissionControl): void {
  if (!options.storefront) return;
  const carts: Carts = { settings: options.storefront.carts, control };
  const used = { usesSession: true } as const;
  const body = customerBody(options, used);
  const write = { config: { ...CUSTOMER_WRITE, ...used } };
  const read = { config: { ...CUSTOMER_ROUTE, ...used } };
  const line = { ...used, readAddress: readLineAddress };
  app.post(PATH, customerBody(options, { ...used, readAddress: readNewAddress }), handleCreate(carts));
  app.get(ONE, read, handleRead(carts));
  app.patch(ONE, body, handleWrite(carts, readPatch));
  app.delete(ONE, write, handleDelete(carts));
  app.post(`${ONE}/lines`, body, handleWrite(carts, readAddition));
  app.patch(`${ONE}/lines/:line`, customerBody(options, line), handleWrite(carts, readLinePatch));
  app.delete(`${ONE}/lines/:line`, { config: { ...CUSTOMER_WRITE, ...line } }, handleWrite(carts, readLineRemoval));
  app.post(`${ONE}/coupons`, body, handleWrite(carts, readCouponAddition));
  app.delete(`${ONE}/coupons/:code`, write, handleWrite(carts, readCouponRemoval));
  app.get(`${ONE}/shipping_options`, read, handleShippingOptions(carts));
  app.get(`${ONE}/payment_methods`, read, handlePaymentMethods);
  app.post(`${ONE}/assign`, { config: { ...CUSTOMER_WRITE, needsSession: true } }, handleAssign(carts));
}

function readNewAddress(request: FastifyRequest): Problem | undefined {
  const named = ['If-Match', 'If-None-Match'].find((name) => request.headers[name.toLowerCase()] !== undefined);
  if (named) return problem('invalid-argument', `${named} does not apply when a cart is created. Omit it.`);
  return readNoParameters(request);
}

const IDENTIFIER = /^[1-9]\d{0,15}$/;

function readLineAddress(request: FastifyRequest): Problem | undefined {
  const { line } = request.params as { readonly line: string };
  if (!(IDENTIFIER.test(line) && Number.isSafeInteger(Number(line))))
    return problem('not-found', 'Invalid identifier value or configuration.');
  return readNoParameters(request);
}

function handleCreate({ settings }: Carts): Handle {
  return async (request, reply) => {
    const { service, shopper } = request;
    const input = bodyOf(request, readNewCart);
    if (isProblem(input)) return sendProblem(reply, input);
    const created = await inUnit(service, shopperOptions(request), (unit) =>
      createCart(unit, input, writingOf(request, settings), shopper && ((inner) => readOwner(inner, shopper.profile))),
    );
    if (isProblem(created)) return sendProblem(reply, created);
    if ('rejected' in created) return sendProblem(reply, created.rejected);
    const { shown, token } = created;
    const rendered = renderCart(request, shown);
    if (token === undefined) return sendRendered(request, reply, rendered);
    return sendRendered(request, reply, { ...rendered, body: JSON.stringify({ ...shown.body, token }) }, 201);
  };
}

function handleRead({ settings }: Carts): Handle {
  return async (request, reply) => sendOutcome(request, reply, await readCart(request, settings));
}

/**
 * Handles a write that responds with the whole cart.
 * @param read reads the request
 */
function handleWrite(
  { settings, control }: Carts,
  read: (request: FastifyRequest, settings: CartSettings) => Work | Problem,
): Handle {
  return async (request, reply) => {
    const work = read(request, settings);
    // A malformed body is reported before an unknown cart, an invalid one after it.
    if (isProblem(work) && work.problem !== 'validation-failed') return sendProblem(reply, work);
    const cart = await cartOf(request);
    if (isProblem(cart)) return sendProblem(reply, cart);
    if (isProblem(work)) return sendProblem(reply, work);
    const releaseSlotDuring = control.releaseSlotDuring(request);
    return respondOnce(request, reply, { releaseSlotDuring, owner: `/api/carts/${cart.id}` }, (attempt) =>
      writeOnce(request, attempt, (unit) => work(unit, cart.id, writingOf(request, settings))),
    );
  };
}

async function writeOnce(
  request: FastifyRequest,
  attempt: Attempt,
  work: (unit: Unit) => Promise<ShownCart | Problem | Rejection>,
): Promise<WriteResponse | Problem> {
  const written = await inUnit(request.service, shopperOptions(request), async (unit) => {
    const earlier = await attempt.begin(unit);
    const outcome = earlier ?? (await work(unit));
    if (isProblem(outcome) || 'rejected' in outcome) return outcome;
    const response = { ...renderCart(request, outcome), status: 200 };
    await attempt.complete(unit, response);
    return response;
  });
  return isProblem(written) || !('rejected' in written) ? written : written.rejected;
}

function handleDelete({ settings }: Carts): Handle {
  return async (request, reply) => {
    const cart = await cartOf(request);
    if (isProblem(cart)) return sendProblem(reply, cart);
    const rejected = await inUnit(request.service, shopperOptions(request), (unit) =>
      deleteCart(unit, cart.id, writingOf(request, settings)),
    );
    return rejected ? sendProblem(reply, rejected) : reply.code(204).send();
  };
}

/** Reads the body of a request with `read`. */
function bodyOf<T>(
  request: FastifyRequest,
  read: (service: FastifyRequest['service'], options: RequestOptions, sent: JsonObject) => T | Problem,
): T | Problem {
  const sent = readJsonObject(request.body as Buffer | undefined);
  return isProblem(sent) ? sent : read(request.service, shopperOptions(request), sent);
}

type Change = Parameters<typeof changeCart>[3];

function changing(change: Change): Work {
  return (unit, cart, writing) => changeCart(unit, cart, writing, change);
}

function readPatch(request: FastifyRequest): Work | Problem {
  const sent = bodyOf(request, readCartChange);
  return isProblem(sent) ? sent : changing(setFields(sent));
}

function readAddition(request: FastifyRequest, settings: CartSettings): Work | Problem {
  const sent = readJsonObjects(request.body as Buffer | undefined);
  if (isProblem(sent)) return sent;
  const lines = readLines(request.service, shopperOptions(request), sent);
  if (isProblem(lines)) return lines;
  const pathOf = (index: number): string => (Array.isArray(sent) ? `[${index}]` : '');
  return changing(addNewLines(lines, pathOf, settings));
}

function readLinePatch(request: FastifyRequest, settings: CartSettings): Work | Problem {
  const change = bodyOf(request, readLineChange);
  return isProblem(change) ? change : changing(changeLine(lineOf(request), change, settings));
}

function readLineRemoval(request: FastifyRequest): Work {
  return changing(dropLine(lineOf(request)));
}

function lineOf({ params }: FastifyRequest): number {
  return Number((params as { readonly line: string }).line);
}

function readCouponAddition(request: FastifyRequest): Work | Problem {
  const code = bodyOf(request, readCoupon);
  return isProblem(code) ? code : (unit, cart, writing) => addCoupon(unit, cart, code, writing);
}

function readCouponRemoval({ params }: FastifyRequest): Work {
  return changing(dropCoupon((params as { readonly code: string }).code));
}

function handleShippingOptions({ settings }: Carts): Handle {
  return async (request, reply) => {
    const cart = await cartOf(request);
    if (isProblem(cart)) return sendProblem(reply, cart);
    const reads = committed(request.service, shopperOptions(request));
    return sendJson(request, reply, await shippingOptionsOf(reads, cart, settings));
  };
}

/** Makes the cart that of the session’s customer. */
function handleAssign({ settings }: Carts): Handle {
  return async (request, reply) => {
    const { service, shopper, params } = request;
    const { token } = params as { readonly token: string };
    const reads = committed(service, shopperOptions(request));
    const cart = token === MINE ? await cartOf(request) : ((await findCart(reads, token)) ?? noCart());
    if (isProblem(cart)) return sendProblem(reply, cart);
    const writing = writingOf(request, settings);
    const assigned = await inUnit(service, shopperOptions(request), async (unit) => {
      const ended = await writing.begin(unit);
      return ended ?? assignCart(unit, cart.id, await readOwner(unit, shopper!.profile), writing);
    });
    return sendOutcome(request, reply, isProblem(assigned) ? assigned : renderCart(request, assigned));
  };
}

/** There are no payment methods yet. */
const handlePaymentMethods: Handle = async (request, reply) => {
  const cart = await cartOf(request);
  return isProblem(cart) ? sendProblem(reply, cart) : sendJson(request, reply, []);
};
