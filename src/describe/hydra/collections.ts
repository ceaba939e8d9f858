/** A page of a collection as Hydra has it: its members, how many there are, the other pages, and how to search it. */
import {
  collectionAddress,
  type ModelPlace,
  SEARCH_PARAMETER,
  type ShownRecord,
  type Value,
} from '../../engine/index.ts';
import { filterParameters } from '../openapi/filters.ts';
import { memberOf } from './records.ts';
import { contextPath } from './vocabulary.ts';

/** Addresses of pages, as path and query. */
export interface PageAddresses {
  readonly self: string;
  readonly first: string;
  readonly last: string;
  readonly previous?: string;
  readonly next?: string;
}

export interface CollectionPage {
  readonly records: readonly ShownRecord[];
  readonly total: number;
  readonly addresses: PageAddresses;
}

export function collectionOf(place: ModelPlace, parents: readonly Value[], page: CollectionPage) {
  const address = collectionAddress(place, parents);
  return {
    ...pageOf(place.resource.name, address, page, (record) => memberOf({ place, parents }, record)),
    'hydra:search': searchOf(place, address),
  };
}

/** The page without its search: `hydra:search` follows. */
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
      'hydra:first': first,
      'hydra:last': last,
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

function searchOf(place: ModelPlace, address: string) {
  const mapping = mappings(place);
  return {
    '@type': 'hydra:IriTemplate',
    'hydra:template': `${address}{?${mapping.map(({ variable }) => variable).join(',')}}`,
    'hydra:variableRepresentation': 'BasicRepresentation',
    'hydra:mapping': mapping,
  };
}

/** The same for every answer of a place. */
const known = new WeakMap<ModelPlace, readonly Mapping[]>();

function mappings(place: ModelPlace): readonly Mapping[] {
  const made = known.get(place) ?? makeMappings(place);
  known.set(place, made);
  return made;
}

function makeMappings({ filters, orders, resource }: ModelPlace): Mapping[] {
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
  ];
}
