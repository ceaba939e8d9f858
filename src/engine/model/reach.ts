/** Whose changes can change an answer: the resources that a record shows, and those that decide which records a list has. */
import type { ModelField, ModelPlace, ModelResource } from './model.ts';

/**
 * The resources, by name, of which a record at this place shows something: their records, or only that there are such.
 * Its own is among them where a record shows others of its kind.
 */
export function shownResources({ outputs }: ModelPlace): ReadonlySet<string> {
  const names = new Set<string>();
  addShown(outputs, names);
  return names;
}

/** As far as `sql/selection.ts` goes. */
function addShown(outputs: readonly ModelField[], names: Set<string>): void {
  for (const { storage, target } of outputs)
    switch (storage.in) {
      case 'link':
      case 'links':
        addTold(target!, names);
        if (storage.embedded) addShown(target!.outputs, names);
        break;
      case 'path':
        addTold(target!, names);
        addShown(shownFields(target!, storage.shown), names);
        break;
      // A change of a part is told as one of the record that shows it.
      case 'parts':
        addShown(target!.outputs, names);
        break;
      case 'part':
        addShown(shownFields(target!, storage.shown), names);
        break;
      default:
    }
}

function shownFields({ outputs }: ModelResource, shown: readonly string[]): ModelField[] {
  return outputs.filter(({ name }) => shown.includes(name));
}

/** The resource under whose name changes of this one's records are told. */
function addTold({ name, isToldByOwner, owner }: ModelResource, names: Set<string>): void {
  names.add(isToldByOwner ? owner!.target!.name : name);
}

/** The resources, by name, by which a list at this place may be filtered, sorted or found: whatever can be reached from it. */
export function reachedResources({ resource, parents }: ModelPlace): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (reached: ModelResource): void => {
    if (names.has(reached.name)) return;
    names.add(reached.name);
    const { fields, owner } = reached;
    for (const { target } of [...fields.values(), ...(owner ? [owner] : [])]) if (target) visit(target);
  };
  for (const each of [resource, ...parents.map(({ target }) => target)]) visit(each);
  return names;
}
