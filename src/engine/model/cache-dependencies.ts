/** Resources that a response depends on: those that a record shows, and those that determine a list's records. */
import type { LinkedValues } from '../field.ts';
import { fieldsAlong, type ModelField, type ModelResource, type ModelRoute } from './model.ts';

/** Resources by name, including the record's own if it shows other records of its kind. */
interface ShownResources {
  /** Fields of their records are shown. */
  readonly records: Set<string>;
  /** Only identifiers of their records are shown, so only deletions matter. */
  readonly identifiers: Set<string>;
}

/** Returns the resources that a record with these outputs shows. */
export function shownResources({ outputs }: Pick<ModelRoute, 'outputs'>): ShownResources {
  const shown = { records: new Set<string>(), identifiers: new Set<string>() };
  addShown(outputs, shown);
  return shown;
}

/** Recurses as deep as `sql/selection.ts` embeds. */
function addShown(outputs: readonly ModelField[], shown: ShownResources): void {
  for (const { storage, target, field, resource } of outputs) {
    if (field.completedWith) shown.records.add(field.completedWith.resource);
    switch (storage.in) {
      case 'column':
        if (field.inheritedWhile !== undefined) shown.records.add(publishedAs(resource.owner!.target!));
        break;
      case 'link':
      case 'links':
        (storage.embedded ? shown.records : shown.identifiers).add(publishedAs(target!));
        if (storage.embedded) addShown(target!.outputs, shown);
        break;
      case 'linkedText':
        for (const name of storage.links) shown.records.add(publishedAs(resource.fields.get(name)!.target!));
        break;
      case 'linkedValues':
        for (const set of storage.sets) addReached(resource, set, shown);
        break;
      case 'path':
        shown.records.add(publishedAs(target!));
        addShown(shownFields(target!, storage.shown), shown);
        break;
      // A change of a part is published as a change of the record that shows it.
      case 'parts':
        addShown(target!.outputs, shown);
        break;
      case 'part':
        addShown(shownFields(target!, storage.shown), shown);
        break;
      default:
    }
  }
}

/** Adds the resources along the paths to the shown values. */
function addReached({ fields }: ModelResource, { links, members }: LinkedValues, { records }: ShownResources): void {
  const { target } = fields.get(links)!;
  for (const path of Object.values(members))
    for (const field of fieldsAlong(target!, path)) records.add(publishedAs(field!.resource));
}

function shownFields({ outputs }: ModelResource, shown: readonly string[]): ModelField[] {
  return outputs.filter(({ name }) => shown.includes(name));
}

/** Returns the resource under which changes of this one's records are published. */
export function publishedAs({ name, isPublishedByOwner, owner }: ModelResource): string {
  return isPublishedByOwner ? owner!.target!.name : name;
}

/** Returns the names of all resources that a list at this route may filter, sort, search by or show. */
export function dependencyResources({ resource, parents }: ModelRoute): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (reached: ModelResource): void => {
    if (names.has(reached.name)) return;
    names.add(reached.name);
    const { fields, owner, search } = reached;
    for (const { target } of [...fields.values(), ...(owner ? [owner] : [])]) if (target) visit(target);
    for (const { resource: searched } of search?.in ?? []) visit(searched);
  };
  for (const each of [resource, ...parents.map(({ target }) => target)]) visit(each);
  return names;
}
