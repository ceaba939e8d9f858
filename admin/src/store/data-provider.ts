/**
 * react-admin's lists and records over the store's client. A record carries the tag that it was read with as `$etag`, so that a
 * change is made to the version that the person saw, or refused (412).
 */
import type { Client } from 'purveyor/client';
import type { DataProvider, GetListParams, Identifier, RaRecord, SortPayload } from 'react-admin';
import { changedFields, type Values } from './changes.ts';
import { store } from './client.ts';

/** The client's methods without the types of each path, which a provider for all resources cannot name. */
export type AnyClient = {
  readonly [Method in 'get' | 'page' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'export' | 'bulk']: (
    // biome-ignore lint/suspicious/noExplicitAny: the path decides
    ...rest: any[]
    // biome-ignore lint/suspicious/noExplicitAny: the path decides
  ) => any;
};

export const anyStore = (): AnyClient => store as unknown as AnyClient & Client;

/** A path's parameters as the client takes them: it takes none where the path has no braces. */
export const given = (path: string, parameters: Values): readonly Values[] => (path.includes('{') ? [parameters] : []);

/** Resources whose identifier is not `id`. */
const IDENTIFIERS: Readonly<Record<string, string>> = { languages: 'code' };
/** Their paths call it something else. */
const PARAMETERS: Readonly<Record<string, string>> = {
  categories: 'category_id',
  memberships: 'membership_id',
  profiles: 'profile_id',
  webhooks: 'webhook_id',
  languages: 'code',
};

const pathOf = (resource: string): string => `/${resource}/{${PARAMETERS[resource] ?? 'id'}}`;
const idOf = (resource: string, id: Identifier) => ({ [PARAMETERS[resource] ?? 'id']: id });

function recordOf(resource: string, data: Values, etag?: string): RaRecord {
  const id = data[IDENTIFIERS[resource] ?? 'id'] as Identifier;
  return etag === undefined ? { ...data, id } : { ...data, id, $etag: etag };
}

/** Until a column is chosen, a list found by words has the best first, and any other the newest. */
export const BEST_FIRST = 'relevance';

function orderOf(sort: SortPayload | undefined, filter: Values): Record<string, string> {
  if (!sort) return {};
  if (sort.field !== BEST_FIRST) return { [sort.field]: sort.order === 'DESC' ? 'desc' : 'asc' };
  return filter.search ? {} : { create_date: 'desc' };
}

/** Forms leave empty texts and objects behind; a filter of them would find nothing. */
export function filterOf(filter: Values = {}): Values {
  const kept = Object.entries(filter).filter(([, value]) => {
    if (value === undefined || value === null || value === '') return false;
    return (
      typeof value !== 'object' || Object.values(value as object).some((part) => part !== undefined && part !== '')
    );
  });
  // A form would take a dot for a step into an object.
  return Object.fromEntries(kept.map(([name, value]) => [name.replace('__', '.'), value]));
}

async function getList(resource: string, { pagination, sort, filter, meta, signal }: GetListParams) {
  const answer = await anyStore().page(`/${resource}`, {
    page: pagination?.page ?? 1,
    itemsPerPage: pagination?.perPage ?? 30,
    order: orderOf(sort, filter),
    filter: { ...filterOf(filter), ...meta?.filter },
    signal,
  });
  return { data: answer.data.map((one: Values) => recordOf(resource, one)), total: answer.total };
}

async function getOne(resource: string, id: Identifier, signal?: AbortSignal): Promise<RaRecord> {
  const answer = await anyStore().get(pathOf(resource), idOf(resource, id), { signal });
  return recordOf(resource, answer.data, answer.etag);
}

/** A few at once: more would only wait in the store. */
export async function inTurns<T>(ids: readonly Identifier[], act: (id: Identifier) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < ids.length; at += 4) results.push(...(await Promise.all(ids.slice(at, at + 4).map(act))));
  return results;
}

export const dataProvider = {
  supportAbortSignal: true,
  getList,
  async getOne(resource, { id, signal }) {
    return { data: await getOne(resource, id, signal) };
  },
  async getMany(resource, { ids, signal }) {
    if (ids.length === 0) return { data: [] };
    const records: RaRecord[] = [];
    for (let at = 0; at < ids.length; at += 100) {
      const filter = { [IDENTIFIERS[resource] ?? 'id']: ids.slice(at, at + 100) };
      const { data } = await anyStore().page(`/${resource}`, { filter, itemsPerPage: 100, signal });
      records.push(...data.map((one: Values) => recordOf(resource, one)));
    }
    return { data: records };
  },
  async getManyReference(resource, { target, id, filter, ...rest }) {
    return getList(resource, { ...rest, filter: { ...filter, [target]: id } });
  },
  async create(resource, { data }) {
    const answer = await anyStore().post(`/${resource}`, data);
    return { data: recordOf(resource, answer.data, answer.etag) };
  },
  async update(resource, { id, data, previousData }) {
    const changed = previousData ? changedFields(previousData, data) : data;
    const options = previousData?.$etag ? { ifMatch: previousData.$etag } : {};
    const answer = await anyStore().patch(pathOf(resource), idOf(resource, id), changed, options);
    return { data: recordOf(resource, answer.data, answer.etag) };
  },
  async updateMany(resource, { ids, data }) {
    await inTurns(ids, (id) => anyStore().patch(pathOf(resource), idOf(resource, id), data));
    return { data: ids };
  },
  async delete(resource, { id, previousData }) {
    const options = previousData?.$etag ? { ifMatch: previousData.$etag } : {};
    await anyStore().delete(pathOf(resource), idOf(resource, id), options);
    return { data: (previousData ?? { id }) as RaRecord };
  },
  async deleteMany(resource, { ids }) {
    await inTurns(ids, (id) => anyStore().delete(pathOf(resource), idOf(resource, id)));
    return { data: ids };
  },
} as DataProvider;
