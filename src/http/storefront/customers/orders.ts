/** `/storefront/me/orders`: the orders of the session’s customer (storefront.md §3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem, readingOf, shortened } from '../../../engine/index.ts';
import { OWN_ORDERS } from '../../../shop/customers/orders.ts';
import { readShopQuery } from '../../../shop/storefront/query.ts';
import { readShopPage, UNSHARED } from '../../../shop/storefront/read.ts';
import { parameter, routeAt } from '../../../shop/storefront/view.ts';
import type { Handle } from '../../resources/reads.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import { readLanguage } from '../language.ts';
import { CUSTOMER_ROUTE, sendJson, sendPage, shopperOptions } from './requests.ts';

const PATH = `${STOREFRONT_PATH}/me/orders`;

export function registerOrderRoutes(app: FastifyInstance, options: HttpOptions): void {
  const config = { ...CUSTOMER_ROUTE, needsSession: true } as const;
  app.get(PATH, { config: { ...config, work: 'list', readAddress: readOrders } }, handleOrders(options));
  app.get(`${PATH}/:order_number`, { config: { ...config, readAddress: readOrder } }, handleOrder(options));
}

/** The newest orders are first. */
const NEWEST_FIRST = parameter('order', 'id', 'desc');

function readOrders(request: FastifyRequest): Problem | undefined {
  return readQuery(request);
}

function readOrder(request: FastifyRequest): Problem | undefined {
  const { order_number: value } = request.params as { readonly order_number: string };
  // PostgreSQL rejects texts with this character.
  return value.includes('\0') ? unknownOrder(value) : readQuery(request, { field: 'order_number', value });
}

function readQuery(
  request: FastifyRequest,
  record?: { readonly field: string; readonly value: string },
): Problem | undefined {
  const { service, shopper } = request;
  const sent = readLanguage(request);
  if (isProblem(sent)) return sent;
  const isOrdered = record !== undefined || sent.some(({ name }) => name === 'order');
  const own = parameter('customer_id', undefined, String(shopper!.profile));
  const shopQuery = readShopQuery(OWN_ORDERS, sent, {
    ...{ route: routeAt(service, OWN_ORDERS), reading: readingOf(service, request.requestContext) },
    conditions: isOrdered ? [own] : [own, NEWEST_FIRST],
    ...(record && { record }),
  });
  if (isProblem(shopQuery)) return shopQuery;
  request.shopQuery = shopQuery;
  return undefined;
}

function readPage(request: FastifyRequest, { storefront }: HttpOptions) {
  return readShopPage(request.service, shopperOptions(request), request.shopQuery, storefront!, UNSHARED);
}

function handleOrders(options: HttpOptions): Handle {
  return async (request, reply) => {
    const page = await readPage(request, options);
    return isProblem(page) ? sendProblem(reply, page) : sendPage(request, reply, page, request.shopQuery.listQuery);
  };
}

function handleOrder(options: HttpOptions): Handle {
  return async (request, reply) => {
    const page = await readPage(request, options);
    if (isProblem(page)) return sendProblem(reply, page);
    const [order] = page.records;
    const { order_number: sent } = request.params as { readonly order_number: string };
    return order ? sendJson(request, reply, order) : sendProblem(reply, unknownOrder(sent));
  };
}

function unknownOrder(sent: string): Problem {
  return problem('not-found', `The customer has no order with the number ${JSON.stringify(shortened(sent))}.`);
}
