/** JSON-LD contexts: what the names in an answer mean, as addresses of the documentation's classes and properties. */
import type { Model } from '../../engine/index.ts';
import { classes, classOfResource, resourceIn, topCollections } from './classes.ts';
import { KEY_CLASS, KEYS_LINK } from './keys.ts';
import { STATISTICS_CLASS } from './statistics.ts';
import { STORE_INFO_CLASS } from './store-info.ts';
import { contextPath, NAMESPACES, vocabulary } from './vocabulary.ts';

type Terms = Readonly<Record<string, unknown>>;

/** @returns undefined for a name that no answer has as its context */
export function contextOf(model: Model, name: string, baseUrl: string): object | undefined {
  const terms = termsOf(model, name);
  return terms && { '@context': { '@vocab': vocabulary(baseUrl), hydra: NAMESPACES.hydra, ...terms } };
}

/** The members of problems are those of the vocabulary itself. */
const PROBLEMS: ReadonlySet<string> = new Set(['Error', 'ConstraintViolationList']);

function termsOf(model: Model, name: string): Terms | undefined {
  if (PROBLEMS.has(name)) return {};
  if (name === 'Entrypoint')
    return Object.fromEntries(
      [...topCollections(model), KEYS_LINK].map(({ key }) => [key, { '@id': `Entrypoint/${key}`, '@type': '@id' }]),
    );
  const resource = model.resources.get(name);
  const described = resource
    ? classOfResource(resource)
    : [...classes(model), KEY_CLASS, STATISTICS_CLASS, STORE_INFO_CLASS].find((each) => each.name === name);
  if (!described || described.of !== undefined) return undefined;
  return Object.fromEntries(
    described.properties.map(({ name: property, schema }) => {
      const id = `${name}/${property}`;
      const inside = resourceIn(schema);
      // The names in a record inside another are those of its own class.
      return [property, inside === undefined ? id : { '@id': id, '@context': contextPath(inside) }];
    }),
  );
}
