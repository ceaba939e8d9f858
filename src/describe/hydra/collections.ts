/** Hydra collections: members, total, links to pages, and the search template. */
import {
  collectionAddress,
  type ModelRoute,
  SEARCH_PARAMETER,
  type ShownRecord,
  type Value,
} from '../../engine/index.ts';
import { filterParameters, listFieldParameters } from '../openapi/filters.ts';
import { memberOf } from './records.ts';
import { contextPath } from './vocabulary.ts';

/** Links to pages, as path and query. */
export interface PageAddresses {
  readonly self: string;
  /** `first` is undefined if `itemsPerPage` is 0, `last` also if it is not known. */
  readonly first?: string;
  readonly last?: string;
  readonly previous?: string;
  readonly next?: string;
}

export interface CollectionPage {
  readonly records: readonly ShownRecord[];
  readonly total: number;
  readonly addresses: PageAddresses;
}

export function collectionOf(route: ModelRoute, parents: readonly Value[], page: CollectionPage) {
  const address = collectionAddress(route, parents);
  return {
    ...pageOf(route.resource.name, address, page, (record) => memberOf({ route, parents }, record)),
    'hydra:search': searchOf(route, address),
  };
}

/** Returns the page without `hydra:search`. */
export function pageOf(
  className: string,
  address: string,
  { records, total, addresses: { self, first, last, previous, next } }: CollectionPage,
  memberOf: (record: ShownRecord) => ShownRecord,
) {
  return {
    '@context': contextPath(className),
    '@id': address,
    '@type': 'hydra:Collection',
    'hydra:totalItems': total,
    'hydra:member': records.map(memberOf),
    'hydra:view': {
      '@id': self,
      '@type': 'hydra:PartialCollectionView',
      ...(first === undefined ? {} : { 'hydra:first': first }),
      ...(last === undefined ? {} : { 'hydra:last': last }),
      ...(previous === undefined ? {} : { 'hydra:previous': previous }),
      ...(next === undefined ? {} : { 'hydra:next': next }),
    },
  };
}

interface Mapping {
  readonly '@type': 'IriTemplateMapping';
  readonly variable: string;
  readonly property: string;
  readonly required: false;
}

function searchOf(route: ModelRoute, address: string) {
  const mapping = mappings(route);
  return {
    '@type': 'hydra:IriTemplate',
    'hydra:template': `${address}{?${mapping.map(({ variable }) => variable).join(',')}}`,
    'hydra:variableRepresentation': 'BasicRepresentation',
    'hydra:mapping': mapping,
  };
}

/** Mappings depend on the route only, so they are computed once. */
const cachedMappings = new WeakMap<ModelRoute, readonly Mapping[]>();

function mappings(route: ModelRoute): readonly Mapping[] {
  const all = cachedMappings.get(route) ?? createMappings(route);
  cachedMappings.set(route, all);
  return all;
}

function createMappings({ filters, orders, listField, resource }: ModelRoute): Mapping[] {
  const mapping = (variable: string, property: string): Mapping => ({
    '@type': 'IriTemplateMapping',
    variable,
    property,
    required: false,
  });
  return [
    ...(resource.search ? [mapping(SEARCH_PARAMETER, 'hydra:freetextQuery')] : []),
    ...[...filters].flatMap(([name, filter]) =>
      filterParameters(name, filter).map((parameter) => mapping(parameter.name, filter.field.name)),
    ),
    ...[...orders].map(([name, field]) => mapping(`order[${name}]`, field.name)),
    ...(listField ? [...listFieldParameters(listField), { name: `order[${listField.field.name}]` }] : []).map(
      ({ name }) => mapping(name, listField!.field.name),
    ),
  ];
}
