/** Looks up the names of many records with one request for each collection. */
import { useQueries } from '@tanstack/react-query';
import type { PathOf } from 'purveyor/client';
import { fieldOf } from '../api/record-diff.ts';
import { readPage } from '../api/runtime-requests.ts';
import { isReadWhole, titleField } from './record-paths.ts';

export interface RecordKey {
  readonly collection: string;
  readonly id: string;
}

export interface FoundName {
  readonly name: string | undefined;
  /** False if the record was deleted; undefined if that is not known. */
  readonly exists: boolean | undefined;
  readonly isPending: boolean;
}

/** The largest page of a list. */
const IDS_MAX = 100;

async function readNames(collection: string, title: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { data } = await readPage(
    `/${collection}` as PathOf<'list'>,
    {},
    { ...(isReadWhole(collection) ? {} : { filter: { id: ids, fields: `id,${title}` } }), itemsPerPage: IDS_MAX },
  );
  return new Map(data.map((record) => [String(fieldOf(record, 'id')), String(fieldOf(record, title) ?? '')]));
}

/** Returns a function that names a record. Collections whose records have no name are not requested. */
export function useNames(records: readonly RecordKey[]): (record: RecordKey) => FoundName {
  const ids = new Map<string, Set<string>>();
  for (const { collection, id } of records)
    if (titleField(collection) !== undefined && (isReadWhole(collection) || /^\d+$/.test(id)))
      ids.set(collection, (ids.get(collection) ?? new Set<string>()).add(id));
  const wanted = [...ids].map(([collection, set]) => [collection, [...set].sort().slice(0, IDS_MAX)] as const);
  const found = useQueries({
    queries: wanted.map(([collection, some]) => ({
      queryKey: ['record-names', collection, isReadWhole(collection) ? 'all' : some],
      queryFn: () => readNames(collection, titleField(collection)!, some),
    })),
  });
  const queries = new Map(wanted.map(([collection], at) => [collection, found[at]]));
  return ({ collection, id }) => {
    const query = queries.get(collection);
    const known = query?.data;
    const name = known?.get(id);
    return { name: name === '' ? undefined : name, exists: known?.has(id), isPending: query?.isPending ?? false };
  };
}
