/** The events that records such as webhooks follow, and what they are about (access.md §2). */
import { type Model, type ModelField, type ModelResource, type ShownRecord, snakeCase } from '../engine/index.ts';
import { familiesOf } from './families.ts';

/** Every event of every resource. */
export const EVERY_EVENT = ['*'];

/** Returns the resources whose records events are about. */
export function followedResources({ resources }: Model, events: readonly string[]): ModelResource[] {
  const named = new Set(events.map((event) => event.split('.')[0]));
  return [...resources.values()].filter(({ name }) => named.has('*') || named.has(snakeCase(name)));
}

/** Returns the fields of these resources and of those of the same families, such as parts, whose changes are theirs. */
export function followedFields(model: Model, followed: readonly ModelResource[]): ModelField[] {
  const { ofResource } = familiesOf(model);
  const families = new Set(followed.flatMap(ofResource));
  const all = [...model.resources.values()];
  return all
    .filter((resource) => ofResource(resource).some((family) => families.has(family)))
    .flatMap(({ fields }) => [...fields.values()]);
}

/** Returns the fields that a client sees only if it can read what the events of the record are about. */
export function followingFields({ declaration }: ModelResource): readonly string[] {
  return declaration.follows?.shows ?? [];
}

/** Returns the events of a record, as output shows them. A record without them may follow every event. */
export function eventsOf({ declaration }: ModelResource, record: ShownRecord): readonly string[] {
  const lists = declaration.follows!.events.map((name) => record[name] as readonly string[] | undefined);
  return lists.flatMap((list) => list ?? EVERY_EVENT);
}
