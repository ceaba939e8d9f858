/**
 * react-admin's data provider over the store's client. Records carry the ETag they were read with as `$etag`, so that an update
 * applies only to the version the user saw; otherwise the store rejects it with 412.
 */
import type { PathOf } from 'purveyor/client';
import type { DataProvider, GetListParams, Identifier, RaRecord, SortPayload } from 'react-admin';
import { changedFields, type Values } from './record-diff.ts';
import {
  createRecord,
  deleteRecord,
  type PathParameters,
  readPage,
  readRecord,
  updateRecord,
} from './runtime-requests.ts';

type CollectionPath = PathOf<'list'> & PathOf<'post'>;
type RecordPath = PathOf<'get'> & PathOf<'patch'> & PathOf<'delete'>;

/** Resources whose identifier is not `id`. */
const IDENTIFIERS: Readonly<Record<string, string>> = { languages: 'code' };
/** Path parameters of resources that do not call theirs `id`. */
const PARAMETERS: Readonly<Record<string, string>> = {
  categories: 'category_id',
  memberships: 'membership_id',
  profiles: 'profile_id',
  webhooks: 'webhook_id',
  languages: 'code',
};

/** react-admin names resources by strings; the screens use only resources of the API. */
const collectionPath = (resource: string) => `/${resource}` as CollectionPath;
const recordPath = (resource: string) => `/${resource}/{${PARAMETERS[resource] ?? 'id'}}` as RecordPath;
const recordParameters = (resource: string, id: Identifier): PathParameters => ({
  [PARAMETERS[resource] ?? 'id']: id,
});

function toRecord(resource: string, data: object, etag?: string): RaRecord {
  const id = (data as Values)[IDENTIFIERS[resource] ?? 'id'] as Identifier;
  return etag === undefined ? { ...data, id } : { ...data, id, $etag: etag };
}

/** The sort field of a list before the user picks a column: by relevance if it is searched, otherwise newest first. */
export const RELEVANCE = 'relevance';

function orderOf(sort: SortPayload | undefined, filter: Values): Record<string, string> {
  if (!sort) return {};
  if (sort.field !== RELEVANCE) return { [sort.field]: sort.order === 'DESC' ? 'desc' : 'asc' };
  return filter.search ? {} : { create_date: 'desc' };
}

/** Removes the empty texts and objects that filter forms leave behind: a filter by them would match no record. */
export function filterOf(filter: Values = {}): Values {
  const filled = Object.entries(filter).filter(([, value]) => {
    if (value === undefined || value === null || value === '') return false;
    return (
      typeof value !== 'object' || Object.values(value as object).some((part) => part !== undefined && part !== '')
    );
  });
  // Form fields are named with `__`, because react-hook-form treats a dot as a step into an object.
  return Object.fromEntries(filled.map(([name, value]) => [name.replace('__', '.'), value]));
}

async function getList(resource: string, { pagination, sort, filter, meta, signal }: GetListParams) {
  const { data, total } = await readPage(
    collectionPath(resource),
    {},
    {
      page: pagination?.page ?? 1,
      itemsPerPage: pagination?.perPage ?? 30,
      order: orderOf(sort, filter),
      filter: { ...filterOf(filter), ...meta?.filter },
      signal,
    },
  );
  return { data: data.map((record) => toRecord(resource, record)), total };
}

async function getOne(resource: string, id: Identifier, signal?: AbortSignal): Promise<RaRecord> {
  const { data, etag } = await readRecord(recordPath(resource), recordParameters(resource, id), { signal });
  return toRecord(resource, data, etag);
}

const BATCH_SIZE = 4;

/** Sends a request for each identifier, a few at a time: the store would queue more. */
export async function mapInBatches<T>(ids: readonly Identifier[], send: (id: Identifier) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE)
    results.push(...(await Promise.all(ids.slice(start, start + BATCH_SIZE).map(send))));
  return results;
}

const IDS_PER_REQUEST = 100;

export const dataProvider = {
  supportAbortSignal: true,
  getList,
  async getOne(resource, { id, signal }) {
    return { data: await getOne(resource, id, signal) };
  },
  async getMany(resource, { ids, signal }) {
    const records: RaRecord[] = [];
    for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
      const filter = { [IDENTIFIERS[resource] ?? 'id']: ids.slice(start, start + IDS_PER_REQUEST) };
      const request = { filter, itemsPerPage: IDS_PER_REQUEST, signal };
      const { data } = await readPage(collectionPath(resource), {}, request);
      records.push(...data.map((record) => toRecord(resource, record)));
    }
    return { data: records };
  },
  async getManyReference(resource, { target, id, filter, ...rest }) {
    return getList(resource, { ...rest, filter: { ...filter, [target]: id } });
  },
  async create(resource, { data }) {
    const created = await createRecord(collectionPath(resource), {}, data);
    return { data: toRecord(resource, created.data, created.etag) };
  },
  async update(resource, { id, data, previousData }) {
    const changed = previousData ? changedFields(previousData, data) : data;
    const options = { ifMatch: previousData?.$etag };
    const updated = await updateRecord(recordPath(resource), recordParameters(resource, id), changed, options);
    return { data: toRecord(resource, updated.data, updated.etag) };
  },
  async updateMany(resource, { ids, data }) {
    await mapInBatches(ids, (id) => updateRecord(recordPath(resource), recordParameters(resource, id), data));
    return { data: ids };
  },
  async delete(resource, { id, previousData }) {
    await deleteRecord(recordPath(resource), recordParameters(resource, id), { ifMatch: previousData?.$etag });
    return { data: (previousData ?? { id }) as RaRecord };
  },
  async deleteMany(resource, { ids }) {
    await mapInBatches(ids, (id) => deleteRecord(recordPath(resource), recordParameters(resource, id)));
    return { data: ids };
  },
} as DataProvider;
