/**
 * The fields of a resource, from its declaration, for tests that look at whole records. A test names the fields that it is
 * about, so it fails when one of them is gone; a further field breaks none.
 */
import { storeModel } from '../../src/wiring/open.ts';
import type { Json } from './store.ts';

const model = storeModel();

/** The fields that output shows, in its order. test/snapshots/interface.txt has them too, so none goes unseen. */
export function outputNames(resource: string): string[] {
  return model.resources.get(resource)!.outputs.map(({ name }) => name);
}

/**
 * A record as output shows it: these fields, and every other one as it is where nothing was sent for it. A field that some of
 * the resource's paths leave out is not added.
 * @param elsewhere fields that the test takes away and looks at by themselves
 */
export function whole(resource: string, fields: Json, ...elsewhere: readonly string[]): Json {
  const { outputs, routes } = model.resources.get(resource)!;
  const named = [...Object.keys(fields), ...elsewhere];
  const unknown = named.filter((name) => !outputs.some((field) => field.name === name));
  if (unknown.length > 0) throw new Error(`${resource} shows no ${unknown.join(', ')}.`);
  const others = outputs.filter(
    (field) => !named.includes(field.name) && routes.every((route) => route.outputs.includes(field)),
  );
  return { ...fields, ...Object.fromEntries(others.map(({ name, field }) => [name, field.default])) };
}
