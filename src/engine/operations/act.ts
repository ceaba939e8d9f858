/** Runs an action of one record (`/products/{id}/stock`): its rule turns the input into changes, which are saved as any. */
import { readActionBody } from '../body.ts';
import { isProblem, type Problem } from '../errors.ts';
import type { Action } from '../resource.ts';
import { type Found, type Request, readingOf, type Service, showing } from '../service.ts';
import { readBefore } from './before.ts';
import { NOTHING_PREPARED } from './pictures.ts';
import { finishWrite, type Outcome, refused, startWrite } from './write.ts';

export async function act(
  service: Service,
  request: Request,
  action: Action,
  sent: Readonly<Record<string, unknown>>,
): Promise<Found | Problem> {
  const linked = action.shows === undefined ? undefined : request.place.resource.fields.get(action.shows)!.target;
  const shown = new Set(linked?.outputs.map(({ name }) => name));
  const body = readActionBody(service.model, action, shown, sent, readingOf(service, request));
  const asked = action.shows === undefined ? request : showing(request, action.shows);
  const { answer }: Outcome = await service.database.transaction(async (transaction) => {
    const before = await readBefore(service, asked, transaction);
    if (isProblem(before)) return refused(before);
    const write = startWrite(service, asked, transaction, body, before, 'action', NOTHING_PREPARED);
    await action.run(write.draft, write.records);
    return finishWrite(write);
  });
  return answer;
}
