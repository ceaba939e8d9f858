/** The fields that a key can be created without (access.md §1). */
import type { Model, ModelField, ModelResource } from '../engine/index.ts';
import { withDerived } from './derived-fields.ts';
import { familiesOf } from './families.ts';

/** A mask as `GET /scopes` returns it. */
interface MaskRecord {
  readonly field: string;
  /** Fields that a mask of this one hides too. */
  readonly covers: readonly string[];
  /** Whether the field may contain personal data. */
  readonly personal: boolean;
  /** The families that a client must read to see the field. */
  readonly families: readonly string[];
}

const known = new WeakMap<Model, ReadonlyMap<string, ModelField>>();

/** Returns all fields that can be masked, by names such as `Product.cost_price`, in code point order. */
export function maskableFields(model: Model): ReadonlyMap<string, ModelField> {
  const fields = known.get(model) ?? new Map(named(model).sort(([one], [other]) => (one < other ? -1 : 1)));
  known.set(model, fields);
  return fields;
}

export function maskRecords(model: Model): MaskRecord[] {
  const shown = new Set([...model.resources.values()].flatMap(shownFields));
  return [...maskableFields(model)].map(([name, field]) => ({
    field: name,
    covers: [...withDerived(model, [field])]
      .filter((each) => each !== field && shown.has(each))
      .map(maskName)
      .sort(),
    personal: field.field.personal !== undefined || isPersonal(field.resource),
    families: familiesOf(model).ofResource(field.resource),
  }));
}

/** A record is personal as a whole if it is a data subject or a part of one that is erased with it. */
function isPersonal({ declaration }: ModelResource): boolean {
  return declaration.personal === true || declaration.dataSubject !== undefined;
}

export function maskName({ resource, name }: ModelField): string {
  return `${resource.name}.${name}`;
}

function named(model: Model): [name: string, field: ModelField][] {
  const deciding = decidingFields(model);
  return [...model.resources.values()]
    .filter((resource) => isMaskable(model, resource))
    .flatMap(shownFields)
    .filter((field) => !field.isIdentifier && !deciding.has(field) && !isContainer(field))
    .map((field) => [maskName(field), field]);
}

/** What every key may read, and what follows changes of other records, cannot be masked. */
function isMaskable(model: Model, resource: ModelResource): boolean {
  const { isOpen, unmaskable, follows } = resource.declaration;
  const isFollowing = follows !== undefined || resource.owner?.target?.declaration.follows !== undefined;
  return !isOpen && !unmaskable && !isFollowing && familiesOf(model).ofResource(resource).length > 0;
}

function shownFields({ outputs, onRequest, routes }: ModelResource): ModelField[] {
  return [...new Set([...outputs, ...onRequest, ...routes.flatMap((route) => [...route.outputs, ...route.onRequest])])];
}

/** Parts have masks of their own, because they also have their own paths. */
function isContainer({ storage }: ModelField): boolean {
  return storage.in === 'parts' || storage.in === 'part' || storage.in === 'nothing';
}

/** Fields that decide which records a path has. */
function decidingFields({ resources, routes }: Model): ReadonlySet<ModelField> {
  const owners = [...resources.values()].flatMap(({ owner }) => owner ?? []);
  const ofRoutes = routes.flatMap(({ parents, item, fixed, filters }) => [
    ...parents.flatMap(({ field }) => field ?? []),
    ...(item ? [item] : []),
    ...fixed.keys(),
    ...[...filters.values()].flatMap(({ elseNone, field }) => (elseNone ? [field] : [])),
  ]);
  return new Set([...owners, ...ofRoutes]);
}
