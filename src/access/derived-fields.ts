/** Which fields output, filters or rules derive from others, so that a mask of one includes them (access.md §2). */
import type { Model, ModelField, ModelResource, Uses } from '../engine/index.ts';
import { fieldsAlong } from '../engine/index.ts';

/** Returns the declared fields of these resources, without those of `own`. */
export function usedFields({ resources }: Model, uses: Uses): ModelField[] {
  return Object.entries(uses).flatMap(([name, used]) =>
    used.flatMap((each) => resources.get(name)?.fields.get(each) ?? []),
  );
}

const known = new WeakMap<Model, ReadonlyMap<ModelField, readonly ModelField[]>>();

/** Returns these fields and all that are derived from them. */
export function withDerived(model: Model, fields: Iterable<ModelField>): ReadonlySet<ModelField> {
  const derived = known.get(model) ?? derivedFields(model);
  known.set(model, derived);
  const found = new Set(fields);
  // A set also visits the fields that are added meanwhile.
  for (const field of found) for (const each of derived.get(field) ?? []) found.add(each);
  return found;
}

/** The fields that are derived from each field directly. */
function derivedFields(model: Model): ReadonlyMap<ModelField, readonly ModelField[]> {
  const derived = new Map<ModelField, ModelField[]>();
  for (const resource of model.resources.values())
    for (const field of resource.fields.values())
      for (const source of sourcesOf(model, field)) derived.set(source, [...(derived.get(source) ?? []), field]);
  return derived;
}

/** The fields from which output computes a field, or that a filter by it reads. */
function sourcesOf(model: Model, modelField: ModelField): ModelField[] {
  const { name, resource, field } = modelField;
  const completed = named(resource, field.completedFrom ?? []);
  const own = [...completed, ...completed.flatMap(partsOf)];
  const instead = named(resource, field.standsFor === undefined ? [] : [field.standsFor]);
  const { completedWith, inheritedWhile, inheritedFrom = name } = field;
  const settings = completedWith ? usedFields(model, { [completedWith.resource]: [completedWith.field] }) : [];
  const inherited = inheritedWhile
    ? [...named(resource, [inheritedWhile]), ...named(resource.owner!.target!, [inheritedFrom])]
    : [];
  return [
    ...own,
    ...instead,
    ...settings,
    ...inherited,
    ...storedIn(model, modelField),
    ...formerValues(model, modelField),
  ];
}

function storedIn(model: Model, { name, storage, target, resource }: ModelField): ModelField[] {
  switch (storage.in) {
    case 'sum':
      return named(resource, storage.of);
    case 'summary':
      return named(target!, storage.reads);
    case 'average':
      return named(target!, [storage.averaged, ...Object.keys(storage.where ?? {})]);
    case 'count':
      return named(target!, Object.keys(storage.where ?? {}));
    case 'inheritedTotal':
      return [...named(resource, [storage.field]), ...named(target!, [storage.field])];
    case 'linked':
      return named(target!, [storage.by, storage.to]);
    case 'linkedText':
      return storage.links.flatMap((link) => [
        ...named(resource, [link]),
        ...named(resource.fields.get(link)!.target!, [storage.text]),
      ]);
    case 'linkedValues':
      return storage.sets.flatMap(({ links, members }) => [
        ...named(resource, [links]),
        ...reached(resource.fields.get(links)!.target!, Object.values(members)),
      ]);
    case 'path':
      return resource.tree ? [resource.tree] : [];
    case 'texts':
      return [...named(resource, storage.own), ...named(target!, storage.joined.flat())];
    case 'evaluated':
      return usedFields(model, resource.declaration.evaluations?.[name]?.uses ?? {});
    default:
      return [];
  }
}

/** The fields whose earlier values a field stores, if it belongs to a record of such values. */
function formerValues({ resources }: Model, { name, resource }: ModelField): ModelField[] {
  if (name !== 'values') return [];
  return [...resources.values()].flatMap((each) => {
    const { formerValues: former } = each.declaration;
    return former?.to === resource.name ? named(each, former.fields) : [];
  });
}

function partsOf({ storage, target }: ModelField): ModelField[] {
  return storage.in === 'parts' ? [...target!.fields.values()] : [];
}

function named({ fields }: ModelResource, names: readonly string[]): ModelField[] {
  return names.flatMap((name) => fields.get(name) ?? []);
}

function reached(resource: ModelResource, paths: readonly string[]): ModelField[] {
  return paths.flatMap((path) => fieldsAlong(resource, path)).flatMap((field) => field ?? []);
}
