/** All records of a place that the filters let through, of one moment of the store, by their identifiers. */
import type { Problem } from '../../errors.ts';
import type { ShownRecord } from '../../field.ts';
import type { ModelPlace } from '../../model/model.ts';
import type { Moment, Value } from '../../ports.ts';
import type { ListIntent } from '../../request/list-query.ts';
import { boundsQuery, spanCountQuery, spanQuery } from '../../sql/export-query.ts';
import { Reads } from '../../unit/reads.ts';
import {
  type Caller,
  languageMode,
  parentValues,
  queryContext,
  readOf,
  type Service,
  type Target,
} from '../../unit/service.ts';
import type { TakeTurn } from '../bulk.ts';
import { unknownParent } from '../read.ts';

/** The moment lasts for as long as the work with it. */
export interface Export {
  /** How many records there are. */
  readonly total: number;
  /** Records by identifier, a few at a time, perhaps none. */
  readonly parts: AsyncIterable<readonly ShownRecord[]>;
}

/** Records of one statement: others have their turn between two. */
const SPAN = 100;
/** A count reads less of each record. */
const COUNTED_SPAN = 20_000;

export async function exported<T>(
  service: Service,
  caller: Caller,
  target: Target,
  intent: ListIntent,
  work: (all: Export) => Promise<T>,
  /** Around each statement; others have their turn between two. */
  takeTurn: TakeTurn,
): Promise<T | Problem> {
  return service.database.snapshot(async (run) => {
    const unknown = await unknownParent(new Reads(service, run, caller), target);
    if (unknown) return unknown;
    const asked = {
      service,
      caller,
      target,
      intent,
      run: ((...asked) => takeTurn(() => run(...asked))) as Moment['run'],
    };
    const bounds = await boundsOf(service, target.place, run);
    return work({ total: await count(asked, bounds), parts: parts(asked, bounds) });
  });
}

interface Asked {
  readonly service: Service;
  readonly caller: Caller;
  readonly target: Target;
  readonly intent: ListIntent;
  readonly run: Moment['run'];
}

/** The lowest and the highest identifier; undefined where there is no record. */
type Bounds = readonly [Value, Value] | undefined;

async function boundsOf({ statements }: Service, place: ModelPlace, run: Moment['run']): Promise<Bounds> {
  const [row] = await run(
    statements.get(`bounds ${place.resource.name}`, () => boundsQuery(place)),
    {},
  );
  const [lowest, highest] = row as [Value, Value];
  return lowest === null ? undefined : [lowest, highest];
}

/** Spans that have all identifiers between the bounds; texts, of which there are few, have one. */
function* spansOf(bounds: Bounds, size: number): Generator<{ readonly after: Value; readonly until: Value }> {
  if (!bounds) return;
  const [lowest, highest] = bounds;
  if (typeof lowest !== 'number' || typeof highest !== 'number') {
    yield { after: '', until: highest };
    return;
  }
  for (let after = lowest - 1; after < highest; after += size) yield { after, until: Math.min(after + size, highest) };
}

async function count({ service, caller, target, intent, run }: Asked, bounds: Bounds): Promise<number> {
  const { place } = target;
  const mode = languageMode(caller);
  const statement = service.whole.statements.get(`count of span ${place.path} ${mode} ${intent.shape}`, () =>
    spanCountQuery(place, intent, queryContext(service, mode)),
  );
  let total = 0;
  for (const span of spansOf(bounds, COUNTED_SPAN)) {
    const [row] = await run(statement, { ...valuesOf(caller, target, intent), ...span });
    total += Number(row![0]);
  }
  return total;
}

async function* parts(
  { service, caller, target, intent, run }: Asked,
  bounds: Bounds,
): AsyncGenerator<readonly ShownRecord[]> {
  const { place } = target;
  const mode = languageMode(caller);
  const { name, selection, statements } = readOf(service, place, mode, intent.fields);
  const statement = statements.get(`span ${name} ${intent.shape}`, () =>
    spanQuery(place, selection, intent, queryContext(service, mode)),
  );
  for (const span of spansOf(bounds, SPAN)) {
    const rows = await run(statement, { ...valuesOf(caller, target, intent), ...span });
    yield rows.map((row) => selection.record(row, caller));
  }
}

function valuesOf({ language, defaultLanguage }: Caller, target: Target, intent: ListIntent): Record<string, Value> {
  return { ...parentValues(target), ...intent.values, language, default_language: defaultLanguage };
}
