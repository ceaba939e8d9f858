/** Whose changes can change an answer: the resources that a record shows, and those that decide which records a list has. */
import type { ModelField, ModelResource, ModelRoute } from './model.ts';

/** Resources by name. A record's own is among them where it shows others of its kind. */
interface ShownResources {
  /** Something of their records is shown. */
  readonly records: Set<string>;
  /** Of their records only the identifiers are shown, which go when such a record is deleted. */
  readonly identifiers: Set<string>;
}

/** The resources of which a record at this place shows something. */
export function shownResources({ outputs }: ModelRoute): ShownResources {
  const shown = { records: new Set<string>(), identifiers: new Set<string>() };
  addShown(outputs, shown);
  return shown;
}

/** As far as `sql/selection.ts` goes. */
function addShown(outputs: readonly ModelField[], shown: ShownResources): void {
  for (const { storage, target, field, resource } of outputs)
    switch (storage.in) {
      case 'column':
        if (field.ownersWhile !== undefined) shown.records.add(publishedAs(resource.owner!.target!));
        break;
      case 'link':
      case 'links':
        (storage.embedded ? shown.records : shown.identifiers).add(publishedAs(target!));
        if (storage.embedded) addShown(target!.outputs, shown);
        break;
      case 'path':
        shown.records.add(publishedAs(target!));
        addShown(shownFields(target!, storage.shown), shown);
        break;
      // A change of a part is told as one of the record that shows it.
      case 'parts':
        addShown(target!.outputs, shown);
        break;
      case 'part':
        addShown(shownFields(target!, storage.shown), shown);
        break;
      default:
    }
}

function shownFields({ outputs }: ModelResource, shown: readonly string[]): ModelField[] {
  return outputs.filter(({ name }) => shown.includes(name));
}

/** The resource under whose name changes of this one's records are told. */
export function publishedAs({ name, isPublishedByOwner, owner }: ModelResource): string {
  return isPublishedByOwner ? owner!.target!.name : name;
}

/** The resources, by name, by which a list at this place may be filtered, sorted or searched, and those that it shows. */
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
