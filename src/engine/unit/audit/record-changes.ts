/**
 * The changes of the fields of all records in one unit of work: the value before the unit, and the one after it. The unit
 * reports each write with the values that it knows anyway.
 */
import type { ModelField, ModelResource } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { Stored } from '../../rules.ts';
import {
  auditedFields,
  type FieldKey,
  fieldOf,
  isAudited,
  isSecret,
  partsName,
  shownValue,
  sortedSet,
  textKey,
} from './audited-fields.ts';
import { canonicalJson } from './canonical-json.ts';

type Values = ReadonlyMap<FieldKey, Value>;

/** What happened to one record. */
interface Trace {
  readonly resource: ModelResource;
  readonly id: Value;
  readonly existed: boolean;
  exists: boolean;
  readonly before: Map<FieldKey, Value>;
  readonly after: Map<FieldKey, Value>;
  /** The record that it is part of. */
  owner: Value;
}

/** `changes` of an audit entry. */
export type Changes = Record<string, Value>;

/** What a unit did besides changes of records. */
interface AuditEvent {
  readonly action: string;
  readonly changes: Changes;
}

interface ChangedRecord {
  readonly resource: ModelResource;
  readonly id: Value;
  readonly changes: Changes;
}

export class RecordChanges {
  readonly #traces = new Map<string, Trace>();
  readonly #erased: string[] = [];
  readonly #restored = new Set<string>();
  readonly #events: AuditEvent[] = [];

  /** What else the unit did. */
  get events(): readonly AuditEvent[] {
    return this.#events;
  }

  addEvent(event: AuditEvent): void {
    this.#events.push(event);
  }

  /** The unit erases a person: entries of the records with these paths, and of their parts, must not have the values before. */
  erase(paths: readonly string[]): void {
    this.#erased.push(...paths);
  }

  /** The changes of this record restore earlier values. */
  restored({ name }: ModelResource, id: Value): void {
    this.#restored.add(recordKey(name, id));
  }

  isRestored(key: string): boolean {
    return this.#restored.has(key);
  }

  isErased(path: string): boolean {
    return this.#erased.some((each) => path === each || path.startsWith(`${each}/`));
  }

  /** @param values of all fields, with sets of identifiers @param language of the texts */
  created(resource: ModelResource, id: Value, values: Stored, language: string): void {
    if (resource.isUnpublished) return;
    const trace = this.#trace(resource, id, false);
    trace.exists = true;
    trace.owner = ownerIn(resource, values);
    for (const field of auditedFields(resource)) add(trace.after, field, values, language);
  }

  /** @param before values of the changed fields @param after likewise */
  updated(
    resource: ModelResource,
    id: Value,
    { before, after, owner }: { readonly before: Stored; readonly after: Stored; readonly owner: Value },
    language: string,
  ): void {
    if (resource.isUnpublished) return;
    const trace = this.#trace(resource, id, true);
    trace.owner = owner ?? trace.owner;
    for (const name of Object.keys(after)) {
      const field = resource.fields.get(name)!;
      if (!isAudited(field)) continue;
      const key = field.storage.in === 'translation' ? textKey(field, language) : name;
      if (trace.existed && !trace.before.has(key)) add(trace.before, field, before, language);
      add(trace.after, field, after, language);
    }
  }

  /** @param values of all fields, by the name that `changes` has */
  deleted(resource: ModelResource, id: Value, values: Values, owner: Value): void {
    if (resource.isUnpublished) return;
    const trace = this.#trace(resource, id, true);
    trace.exists = false;
    trace.owner = owner;
    trace.after.clear();
    if (!trace.existed) return;
    for (const [key, value] of values) if (!trace.before.has(key)) trace.before.set(key, value);
  }

  /** The changes of each record by `recordKey`, including those of the parts whose changes are changes of their owner. */
  all(): ReadonlyMap<string, ChangedRecord> {
    const all = new Map<string, ChangedRecord>();
    for (const trace of this.#traces.values()) {
      if (!trace.existed && !trace.exists) continue;
      const { resource, id, owner } = trace;
      const [of, own, prefix] = resource.isPublishedByOwner
        ? [resource.owner!.target!, owner, `${partsName(resource)}[${id}].`]
        : [resource, id, ''];
      const key = recordKey(of.name, own);
      const entry = all.get(key) ?? { resource: of, id: own, changes: {} };
      all.set(key, entry);
      addDifference(entry.changes, trace, prefix);
    }
    return all;
  }

  #trace(resource: ModelResource, id: Value, existed: boolean): Trace {
    const key = recordKey(resource.name, id);
    const trace = this.#traces.get(key) ?? {
      ...{ resource, id, existed, exists: true, before: new Map(), after: new Map(), owner: null },
    };
    this.#traces.set(key, trace);
    return trace;
  }
}

export function recordKey(resource: string, id: Value): string {
  return `${resource} ${id}`;
}

function ownerIn({ owner }: ModelResource, values: Stored): Value {
  return owner ? values[owner.name]! : null;
}

/** Adds the value of a field. A text that was never written is null. */
function add(to: Map<FieldKey, Value>, field: ModelField, values: Stored, language: string): void {
  const value = values[field.name];
  if (field.storage.in === 'translation') {
    if (value !== undefined) to.set(textKey(field, language), value);
  } else if (field.storage.in === 'links') to.set(field.name, sortedSet((value as Value[] | undefined) ?? []));
  else to.set(field.name, value ?? null);
}

function addDifference(changes: Changes, { resource, existed, exists, before, after }: Trace, prefix: string): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const field = fieldOf(resource, key)!;
    const [from, to] = [before.get(key) ?? null, after.get(key) ?? null];
    // A created or deleted record has all fields.
    const isSame = (isSecret(field.field) || (existed && exists)) && isEqual(from, to);
    if (isSame) continue;
    changes[prefix + key] = isSecret(field.field)
      ? { changed: true }
      : { after: shownValue(field, to), before: shownValue(field, from) };
  }
}

function isEqual(one: Value, other: Value): boolean {
  if (one === other) return true;
  const isObject = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null;
  return isObject && canonicalJson(one) === canonicalJson(other);
}
