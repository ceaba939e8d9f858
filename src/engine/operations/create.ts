/** Creates a record: read the body, prepare its picture, then one transaction that checks and saves. */
import { carriesTexts, readBody } from '../body.ts';
import type { Problem } from '../errors.ts';
import { type Found, type Request, readingOf, type Service } from '../service.ts';
import { checkConditions, lockParents, readExisting } from './before.ts';
import { withPictures } from './pictures.ts';
import { finishWrite, refused, startWrite } from './write.ts';

export async function create(
  service: Service,
  request: Request,
  sent: Readonly<Record<string, unknown>>,
): Promise<Found | Problem> {
  if (request.unknownLanguage && carriesTexts(request.place, 'create', sent)) return request.unknownLanguage;
  const body = readBody(request.place, 'create', sent, readingOf(service, request));
  return withPictures(service, request, body, 'create', (prepared) =>
    service.database.transaction(async (transaction) => {
      const unknown = await lockParents(service, request, transaction);
      if (unknown) return refused(unknown);
      const isReplaced = request.place.declaration.again === 'replace';
      const looks = isReplaced || request.ifNoneMatch !== undefined;
      const existing = looks ? await readExisting(service, request, transaction) : undefined;
      const failed = existing && checkConditions(request, existing.found);
      if (failed) return refused(failed);
      const before = isReplaced ? existing : undefined;
      return finishWrite(startWrite(service, request, transaction, body, before, 'create', prepared));
    }),
  );
}
