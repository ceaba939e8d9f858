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

/** A field before and after the unit. */
interface FieldChange {
  readonly field: ModelField;
  readonly before: Value;
  after: Value;
}

/** What happened to one record. */
interface Trace {
  readonly resource: ModelResource;
  readonly id: Value;
  readonly existed: boolean;
  exists: boolean;
  readonly fields: Map<FieldKey, FieldChange>;
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
    for (const field of auditedFields(resource)) {
      // A text that was never written does not exist in the language.
      if (field.storage.in === 'translation' && values[field.name] === undefined) continue;
      setAfter(trace, field, keyOf(field, language), null, valueIn(field, values));
    }
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
      const was = trace.existed ? valueIn(field, before) : null;
      setAfter(trace, field, keyOf(field, language), was, valueIn(field, after));
    }
  }

  /** @param values of all fields, by the name that `changes` has */
  deleted(resource: ModelResource, id: Value, values: Values, owner: Value): void {
    if (resource.isUnpublished) return;
    const trace = this.#trace(resource, id, true);
    trace.exists = false;
    trace.owner = owner;
    if (!trace.existed) {
      trace.fields.clear();
      return;
    }
    for (const change of trace.fields.values()) change.after = null;
    for (const [key, value] of values) setAfter(trace, fieldOf(resource, key)!, key, value, null);
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
      ...{ resource, id, existed, exists: true, fields: new Map(), owner: null },
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

function keyOf(field: ModelField, language: string): FieldKey {
  return field.storage.in === 'translation' ? textKey(field, language) : field.name;
}

function valueIn({ name, storage }: ModelField, values: Stored): Value {
  const value = values[name] ?? null;
  return storage.in === 'links' ? sortedSet((value as Value[] | null) ?? []) : value;
}

/** @param before the unit, if this is the first change of the field */
function setAfter({ fields }: Trace, field: ModelField, key: FieldKey, before: Value, after: Value): void {
  const known = fields.get(key);
  if (known) known.after = after;
  else fields.set(key, { field, before, after });
}

function addDifference(changes: Changes, { existed, exists, fields }: Trace, prefix: string): void {
  // A created or deleted record has all fields.
  const hasAll = !(existed && exists);
  for (const [key, { field, before, after }] of fields) {
    const keepsSecret = isSecret(field.field);
    if ((keepsSecret || !hasAll) && isEqual(before, after)) continue;
    changes[prefix + key] = keepsSecret
      ? { changed: true }
      : { after: shownValue(field, after), before: shownValue(field, before) };
  }
}

function isEqual(one: Value, other: Value): boolean {
  if (one === other) return true;
  const isObject = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null;
  return isObject && canonicalJson(one) === canonicalJson(other);
}
