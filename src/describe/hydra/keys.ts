/** API keys as JSON-LD (http.md §19). They are not a resource of the model, so their class is defined here. */
import { API_PATH, KEYS_PATH, type Operation, type ShownRecord } from '../../engine/index.ts';
import type { ClassDescription, Property } from './classes.ts';
import { type CollectionPage, pageOf } from './collections.ts';
import { contextPath } from './vocabulary.ts';

const NAME = 'Key';
const COLLECTION = `${API_PATH}${KEYS_PATH}`;

/** Link in the entrypoint. */
export const KEYS_LINK = { key: 'key', address: COLLECTION, className: NAME, isCreated: true } as const;

export function keyItemOf(record: ShownRecord): ShownRecord {
  return { '@context': contextPath(NAME), ...memberOf(record) };
}

export function keyCollectionOf(page: CollectionPage): ShownRecord {
  return {
    ...pageOf(NAME, COLLECTION, page, memberOf),
    'hydra:search': {
      '@type': 'hydra:IriTemplate',
      'hydra:template': COLLECTION,
      'hydra:variableRepresentation': 'BasicRepresentation',
      'hydra:mapping': [],
    },
  };
}

function memberOf(record: ShownRecord): ShownRecord {
  return { '@id': `${COLLECTION}/${record.id}`, '@type': NAME, ...record };
}

const property = (name: string, claims: Partial<Property> = {}, format?: string): Property => ({
  name,
  description: undefined,
  schema: { type: 'string', ...(format === undefined ? {} : { format }) },
  ...{ isRequired: false, isReadable: true, isWriteable: false, ...claims },
});

const LIST = { type: 'array', items: { type: 'string' } };

export const KEY_CLASS: ClassDescription = {
  name: NAME,
  of: undefined,
  description: 'An API key of the store.',
  properties: [
    property('id'),
    property('name', { isRequired: true, isWriteable: true }),
    property('kind', { isRequired: true, isWriteable: true }),
    property('key', { description: 'The key itself; only in the response to its creation, unless it is publishable.' }),
    property('expires_at', { isWriteable: true }, 'date-time'),
    property('last_used_at'),
    property('created_at', {}, 'date-time'),
    property('source'),
    property('old_expires_at', {}, 'date-time'),
    property('scopes', { isWriteable: true, schema: LIST }),
    property('masks', { isWriteable: true, schema: LIST }),
    property('networks', { isWriteable: true, schema: LIST }),
    property('origins', { isWriteable: true, schema: LIST }),
    property('created_by', { schema: { type: 'object' } }),
  ],
  operations: new Set<Operation>(['read', 'remove']),
};
