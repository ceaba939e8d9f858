/** The address history of products and categories (catalog.md §16). */
import {
  committed,
  formatTimestamp,
  inUnit,
  isProblem,
  type Problem,
  problem,
  type Reads,
  type RequestOptions,
  read,
  type Service,
  type Target,
} from '../engine/index.ts';

interface OldUrl {
  readonly clean_url: string;
  /** Date-time as in output. */
  readonly until: string;
}

/** Returns the former clean URLs of a record, newest first; a problem if the record does not exist. */
export async function oldUrlsOf(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
): Promise<readonly OldUrl[] | Problem> {
  const found = await read(service, requestOptions, target);
  if (isProblem(found)) return found;
  const { timeZone } = service.environment;
  const records = await listed(committed(service, requestOptions), target);
  return records.toReversed().map(({ clean_url, until }) => ({
    clean_url: clean_url as string,
    until: formatTimestamp(until as number, timeZone),
  }));
}

/** Removes one former clean URL of a record, so that the shop no longer redirects from it. */
export async function removeOldUrl(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  cleanUrl: string,
): Promise<Problem | undefined> {
  return inUnit(service, requestOptions, async (unit) => {
    const records = await listed(unit, target);
    const found = records.find(({ clean_url }) => clean_url === cleanUrl);
    if (!found) return problem('not-found', 'The record has no such former clean URL.');
    await unit.remove('OldUrl', { id: found.id! });
    return undefined;
  });
}

/** Oldest first. */
function listed(reads: Reads, { route, id }: Target): ReturnType<Reads['list']> {
  return reads.list('OldUrl', { [route.resource.table]: id! });
}
