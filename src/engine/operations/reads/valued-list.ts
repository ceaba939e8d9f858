/** Lists that show, filter or sort by their list field, read in one snapshot of the store. */
import { isProblem, type Problem } from '../../errors.ts';
import type { ListFieldValues } from '../../list-field.ts';
import type { Value } from '../../ports.ts';
import type { ListFieldUse } from '../../request/list-field-query.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { sortedListQuery, sortedPartQuery } from '../../sql/query.ts';
import { committed, searching } from '../../unit/reads.ts';
import {
  languageMode,
  queryContext,
  type RequestOptions,
  type Service,
  serviceIn,
  type Target,
} from '../../unit/service.ts';
import { list, listAmong, type Page, readAll, valuesOf } from './list.ts';
import { arranged, listFieldValues, type Pause, readListFieldBasis } from './list-field.ts';
import { boundsOf, idsBySpan, VALUED_SPAN } from './spans.ts';

/** A page with the values of its records. */
export interface ValuedPage extends Page {
  readonly values: ReadonlyMap<Value, number>;
  /** When a value may change without a change of a record. */
  readonly endsAt: number | undefined;
  /** All identifiers of the list, if its list field decides them. */
  readonly whole?: readonly number[];
}

type Query = ListQuery & { readonly listField: ListFieldUse };

/** Reads a page with a number of statements that depends on the length of the list only if its list field decides it. */
export async function listValued(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: Query,
  pause?: Pause,
): Promise<ValuedPage | Problem> {
  const use = listQuery.listField;
  const isSorted = use.membersKey !== undefined && hasOtherOrder(target, listQuery);
  // Not part of the snapshot, because it may take long: databases run such a search beside other requests.
  const sorted = isSorted ? await sortedMembers(service, requestOptions, target, listQuery) : undefined;
  return service.database.snapshot(async (run) => {
    const inside = serviceIn(service, run);
    const basis = await readListFieldBasis(inside, requestOptions, use.listField);
    const values = await listFieldValues(inside, requestOptions, use, basis);
    if (isProblem(values)) return values;
    const { endsAt } = values;
    if (use.membersKey === undefined) {
      const page = await list(inside, requestOptions, target, listQuery);
      return isProblem(page) ? page : { ...page, values: await values.of(page.ids), endsAt };
    }
    const members = sorted ?? (await membersById(inside, requestOptions, target, listQuery, pause));
    const arrangedIds = await arranged(use, members, await valuesOfAll(values, members.ids, pause), pause);
    const whole = sorted ? await withMatchingPage(inside, requestOptions, target, listQuery, arrangedIds) : arrangedIds;
    const ids = pageOf(whole, listQuery);
    const found = await readAll(inside, requestOptions, { ...target, fields: listQuery.fields }, ids);
    const records = ids.map((id) => found.get(id)!);
    const hasNext = listQuery.page * listQuery.itemsPerPage < whole.length;
    return { records, ids, total: whole.length, hasNext, values: await values.of(ids), endsAt, whole };
  });
}

function pageOf(ids: readonly number[], { page, itemsPerPage }: ListQuery): readonly number[] {
  return ids.slice((page - 1) * itemsPerPage, page * itemsPerPage);
}

/** Leaves out records that would be on the page but do not meet the filters in the snapshot. */
async function withMatchingPage(
  inside: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: Query,
  ids: readonly number[],
): Promise<readonly number[]> {
  let kept = ids;
  for (;;) {
    const shown = pageOf(kept, listQuery);
    const matching = new Set((await listAmong(inside, requestOptions, target, listQuery, shown)).map(Number));
    const others = new Set(shown.filter((id) => !matching.has(id)));
    if (others.size === 0) return kept;
    kept = kept.filter((id) => !others.has(id));
  }
}

/**
 * Reads the value of each record of a list, ignoring its page, order and conditions on the values.
 * @returns also when a value may change without a change of a record
 */
export async function listValues(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: Query,
  pause?: Pause,
): Promise<{ readonly values: readonly number[]; readonly endsAt: number | undefined } | Problem> {
  const { listField: use } = listQuery;
  const unsorted = { ...listQuery, listField: { ...use, order: undefined } };
  const { ids } = await sortedMembers(service, requestOptions, target, unsorted);
  const basis = await readListFieldBasis(service, requestOptions, use.listField);
  const values = await listFieldValues(service, requestOptions, use, basis);
  if (isProblem(values)) return values;
  const all = await valuesOfAll(values, ids, pause);
  // Undefined: the record was deleted after the others were read.
  return { values: all.filter((value) => value !== undefined), endsAt: values.endsAt };
}

/** Returns those of the given records that the list contains, in its order. Its list field decides it. */
export async function listAmongValued(
  service: Service,
  requestOptions: RequestOptions,
  { route }: Target,
  listQuery: Query,
  ids: readonly Value[],
  values: ListFieldValues,
): Promise<readonly number[]> {
  const base = baseOf({ route }, listQuery);
  const mode = languageMode(requestOptions);
  const after = listQuery.listField.order?.after ?? 0;
  const name = `sorted part ${route.path} ${mode} ${after} ${base.shape}`;
  const statement = service.whole.statements.get(name, () =>
    sortedPartQuery(route, base, after, queryContext(service, mode)),
  );
  const rows = await committed(service, requestOptions).run(statement, {
    ...valuesOf(requestOptions, base),
    ids: [...ids],
  });
  const members = { ids: rows.map(([id]) => Number(id)), groups: rows.map(([, group]) => Number(group)) };
  return arranged(listQuery.listField, members, await values.of(members.ids));
}

/** Whether records are also sorted by something other than the list field and the identifier. */
function hasOtherOrder({ route }: Pick<Target, 'route'>, { orders, search, listField }: Query): boolean {
  if (orders.length > 0) return true;
  return !listField.order && (search !== undefined || route.resource.defaultOrder.length > 0);
}

/** The query without its list field. The identifier breaks ties. */
function baseOf({ route: { resource } }: Pick<Target, 'route'>, listQuery: Query): ListQuery {
  if (!listQuery.listField.order || listQuery.orders.length > 0) return listQuery;
  const field = resource.fields.get(resource.identifierField)!;
  return { ...listQuery, orders: [{ field, descending: false }], shape: `${listQuery.shape} by identifier` };
}

async function sortedMembers(
  service: Service,
  requestOptions: RequestOptions,
  { route }: Target,
  listQuery: Query,
): Promise<{ readonly ids: number[]; readonly groups: number[] }> {
  const mode = languageMode(requestOptions);
  const after = listQuery.listField.order?.after ?? 0;
  const name = `sorted list ${route.path} ${mode} ${after} ${listQuery.shape}`;
  const statement = service.whole.statements.get(name, () =>
    sortedListQuery(route, listQuery, after, queryContext(service, mode)),
  );
  const [row] = await searching(service, requestOptions).run(statement, valuesOf(requestOptions, listQuery));
  const decode = (raw: unknown): number[] => service.database.dialect.decode.json(raw as never) as unknown as number[];
  return { ids: decode(row![0]), groups: decode(row![1]) };
}

/** Reads all matching identifiers in ascending order. */
async function membersById(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: Query,
  pause: Pause | undefined,
): Promise<{ readonly ids: number[] }> {
  const { run } = committed(service, requestOptions);
  const bounds = await boundsOf(service, target.route, run);
  const ids: number[] = [];
  for await (const chunk of idsBySpan(service, requestOptions, target, listQuery, { bounds, run })) {
    for (const id of chunk) ids.push(Number(id));
    await pause?.();
  }
  return { ids };
}

/** @returns the value of each record, in the order of the identifiers */
async function valuesOfAll(
  values: ListFieldValues,
  ids: readonly number[],
  pause: Pause | undefined,
): Promise<number[]> {
  const all: number[] = [];
  for (let from = 0; from < ids.length; from += VALUED_SPAN) {
    const part = ids.slice(from, from + VALUED_SPAN);
    const found = await values.of(part);
    for (const id of part) all.push(found.get(id)!);
    await pause?.();
  }
  return all;
}
