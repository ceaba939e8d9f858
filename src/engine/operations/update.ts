/** Replaces (PUT) or partially updates (PATCH) a record: the current state is read, the body applied, the result saved. */
import { carriesTexts, readBody } from '../body.ts';
import { isProblem, type Problem } from '../errors.ts';
import { type Found, type Request, readingOf, type Service } from '../service.ts';
import { readBefore } from './before.ts';
import { withPictures } from './pictures.ts';
import { finishWrite, refused, startWrite } from './write.ts';

export async function update(
  service: Service,
  request: Request,
  mode: 'replace' | 'patch',
  sent: Readonly<Record<string, unknown>>,
): Promise<Found | Problem> {
  if (request.unknownLanguage && carriesTexts(request.place, mode, sent)) return request.unknownLanguage;
  const body = readBody(request.place, mode, sent, readingOf(service, request));
  return withPictures(service, request, body, mode, (prepared) =>
    service.database.transaction(async (transaction) => {
      const before = await readBefore(service, request, transaction);
      if (isProblem(before)) return refused(before);
      return finishWrite(startWrite(service, request, transaction, body, before, mode, prepared));
    }),
  );
}
