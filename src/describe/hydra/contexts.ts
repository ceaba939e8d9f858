/** JSON-LD contexts, which map property names to the classes and properties of the API documentation. */
import type { Model } from '../../engine/index.ts';
import { classes, classOfResource, resourceIn, topCollections } from './classes.ts';
import { KEY_CLASS, KEYS_LINK } from './keys.ts';
import { STATISTICS_CLASS } from './statistics.ts';
import { contextPath, NAMESPACES, vocabulary } from './vocabulary.ts';

type Terms = Readonly<Record<string, unknown>>;

/** Returns the context of a class, or undefined if no response uses it. */
export function contextOf(model: Model, name: string, baseUrl: string): object | undefined {
  const terms = termsOf(model, name);
  return terms && { '@context': { '@vocab': vocabulary(baseUrl), hydra: NAMESPACES.hydra, ...terms } };
}

/** Problems use the terms of the vocabulary itself. */
const PROBLEMS: ReadonlySet<string> = new Set(['Error', 'ConstraintViolationList']);

function termsOf(model: Model, name: string): Terms | undefined {
  if (PROBLEMS.has(name)) return {};
  if (name === 'Entrypoint')
    return Object.fromEntries(
      [...topCollections(model), KEYS_LINK].map(({ key }) => [key, { '@id': `Entrypoint/${key}`, '@type': '@id' }]),
    );
  // A view can have the name of a resource that no response shows, such as the calculation of an order.
  const resource = model.resources.get(name);
  const described =
    [...classes(model), KEY_CLASS, STATISTICS_CLASS].find((each) => each.name === name) ??
    (resource && classOfResource(resource));
  if (!described || described.of !== undefined) return undefined;
  return Object.fromEntries(
    described.properties.map(({ name: property, schema }) => {
      const id = `${name}/${property}`;
      const inside = resourceIn(schema);
      // The properties of an embedded record belong to its own class.
      return [property, inside === undefined ? id : { '@id': id, '@context': contextPath(inside) }];
    }),
  );
}
