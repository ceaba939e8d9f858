/** Compiles the declaration of a secret check. */
import type { SecretCheck } from '../resource.ts';
import { contradict } from './contradiction.ts';
import type { ModelField, ModelResource, ModelSecretCheck } from './model.ts';

export function createSecretCheck(resource: ModelResource, declaration: SecretCheck): ModelSecretCheck {
  const { name, by, secret, only, first, last } = declaration;
  const wrong = (what: string, remedy: string): never => contradict(resource.name, `${name}: ${what}`, remedy);
  const named = (field: string, holds: (field: ModelField) => boolean, what: string): ModelField => {
    const found = resource.fields.get(field);
    return found && holds(found) ? found : wrong(`${field} is ${what}`, 'name another field');
  };
  const [route] = resource.routes;
  if (!route || route.parents.length > 0 || route.parameter === undefined)
    wrong('needs a collection at the top level', 'declare one');
  for (const field of Object.keys(only)) named(field, ({ storage }) => storage.in === 'column', 'not a column');
  for (const field of [first, last])
    named(
      field,
      ({ field: { kind, unpublished } }) => kind === 'timestamp' && unpublished === true,
      'not an unpublished timestamp',
    );
  const text = named(by, ({ field }) => field.distinct === 'loosely', 'not distinct loosely');
  const hashed = named(secret, ({ field }) => field.hashed === true, 'not hashed');
  const required = ({ field }: ModelField) => ({ ...field, required: true, nullable: false });
  return {
    path: `${route!.collectionPath}/${name}`,
    declaration,
    by: text,
    secret: hashed,
    input: { [by]: required(text), [secret]: required(hashed) },
  };
}
