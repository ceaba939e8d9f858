/**
 * The output fields of a resource, from its declaration, for tests that compare complete records. A test names only the fields
 * that it is about. So a removed field fails the tests that name it, and an added field fails none.
 */
import { storeModel } from '../../src/wiring/open.ts';
import type { Json } from './store.ts';

const model = storeModel();

/** The names of the output fields, in order. `test/snapshots/interface.txt` lists them too, so no change goes unnoticed. */
export function outputNames(resource: string): string[] {
  return model.resources.get(resource)!.outputs.map(({ name }) => name);
}

/**
 * A complete output record: the given fields, and the default of every other field. Fields that some routes of the resource
 * omit are not added.
 * @param elsewhere fields that the test removes from the output and checks separately
 */
export function whole(resource: string, fields: Json, ...elsewhere: readonly string[]): Json {
  const { outputs, routes } = model.resources.get(resource)!;
  const named = [...Object.keys(fields), ...elsewhere];
  const unknown = named.filter((name) => !outputs.some((field) => field.name === name));
  if (unknown.length > 0) throw new Error(`${resource} has no output field ${unknown.join(', ')}.`);
  const others = outputs.filter(
    (field) => !named.includes(field.name) && routes.every((route) => route.outputs.includes(field)),
  );
  return { ...fields, ...Object.fromEntries(others.map(({ name, field }) => [name, field.default])) };
}
