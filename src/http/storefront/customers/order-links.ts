/** `/storefront/order_links`: one order, for customers without a session (storefront.md §3). */
import type { FastifyInstance } from 'fastify';
import { isProblem, problem, read } from '../../../engine/index.ts';
import { orderLinkInput } from '../../../shop/customers/mail-inputs.ts';
import { linkedOrder } from '../../../shop/customers/orders.ts';
import { routeOf, targetAt } from '../../../store/own-requests.ts';
import { findLinkedOrder } from '../../../store/shoppers/order-links.ts';
import type { Handle } from '../../resources/reads.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import { handleMailed } from './mailed-requests.ts';
import { CUSTOMER_ROUTE, customerBody, readMembers, sendJson, shopperOptions } from './requests.ts';

const PATH = `${STOREFRONT_PATH}/order_links`;

export function registerOrderLinkRoutes(app: FastifyInstance, options: HttpOptions): void {
  app.post(PATH, customerBody(options, {}), handleRequest(options));
  app.get(`${PATH}/:token`, { config: CUSTOMER_ROUTE }, handleRead);
}

function handleRequest(options: HttpOptions): Handle {
  return handleMailed(options, (request) => {
    const sent = readMembers(request, orderLinkInput);
    if (isProblem(sent)) return sent;
    const to = sent.email as string;
    const data = { order: sent.order_number!, language: request.requestContext.language };
    return { mails: [{ template: 'order_link', to, data }] };
  });
}

const handleRead: Handle = async (request, reply) => {
  const { service } = request;
  const { token } = request.params as { readonly token: string };
  const requestOptions = shopperOptions(request);
  const id = await findLinkedOrder(service, requestOptions, token);
  const found =
    id === undefined ? undefined : await read(service, requestOptions, targetAt(routeOf(service, 'Order'), { id }));
  if (found && !isProblem(found)) return sendJson(request, reply, linkedOrder(found.record));
  return sendProblem(reply, problem('not-found', 'The link to the order is invalid or expired. Request another one.'));
};
