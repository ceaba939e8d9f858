/** Handler of quotes: checks a body as if it created a record, and responds with the result of the quote's `read`. */
import { plainBody, quoteOf } from '../../describe/hydra.ts';
import { isProblem, type ModelRoute, type Problem, type Quote, type Target, writeRecord } from '../../engine/index.ts';
import { rejectInput, rejectQuote } from '../access/scoped-writes.ts';
import { LD_TYPE } from '../responses/accept.ts';
import { renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { requestOptionsOf } from './address.ts';
import type { Handle } from './reads.ts';
import { readBody } from './writes.ts';

export function handleQuote(route: ModelRoute, declared: Quote, options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service, address } = request;
    const body = readBody(request, route, (sent) => plainBody({ route, ...address }, sent, service.environment));
    // A quote needs no field that a new record needs and that could be hidden.
    const forbidden = isProblem(body)
      ? body
      : (rejectInput(request, route, body, 'patch') ?? rejectQuote(request, declared));
    if (forbidden || isProblem(body)) return sendProblem(reply, forbidden as Problem);
    const requestOptions = { ...requestOptionsOf(request, options), quote: address.quote! };
    const target: Target = { route, parents: [], id: null, fields: undefined };
    const quoted = await writeRecord(
      service,
      requestOptions,
      target,
      'create',
      { ...declared.optional, ...body, ...declared.sets },
      { isTrial: true },
      async (unit, write) => {
        const written = await write();
        return isProblem(written) ? written : declared.read(written.target.id!, unit);
      },
    );
    if (isProblem(quoted)) return sendProblem(reply, quoted);
    const shown = request.responseType === LD_TYPE ? quoteOf(route, quoted) : quoted;
    const view = { body: JSON.stringify(shown), etag: '' };
    return sendRendered(request, reply, renderView(view, requestOptions.language));
  };
}
