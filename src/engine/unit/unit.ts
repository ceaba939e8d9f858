/**
 * The unit of work: one transaction with its timestamp, its reads, all of its changes and their journal entries. Every
 * change of a row goes through the methods of `Unit`, so it knows all that it changed: cascaded deletions, owners whose
 * parts changed, files that are no longer used.
 */

import { isProblem, type Problem } from '../errors.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { textColumns } from '../model/tables.ts';
import type { Row, Statement, Transaction, Value } from '../ports.ts';
import type { Stored, UnitOfWork } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { RecordChanges } from './audit/record-changes.ts';
import { RemovedValues } from './audit/removed-values.ts';
import { allValuesBefore, valuesBefore } from './audit/values-before.ts';
import { writeChanges } from './audit/write-changes.ts';
import type { Change, Commit } from './commits.ts';
import { columnsOf, paramsOf } from './filled.ts';
import * as former from './former-values.ts';
import * as inserts from './inserts.ts';
import { Journal } from './journal.ts';
import { listed, Reads } from './reads.ts';
import { type Claim, endClaims, releaseFiles } from './released-files.ts';
import * as rows from './rows.ts';
import type { RequestOptions, Service } from './service.ts';

/**
 * Runs the work as one atomic unit, which is durable when this resolves. A problem rolls it back. After a conflict with
 * another transaction the work runs again, so it must have no effects outside the unit.
 */
export async function inUnit<T>(
  service: Service,
  requestOptions: RequestOptions,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  try {
    const { outcome, commit } = await service.database.transaction(async (transaction) => {
      const unit = new Unit(service, requestOptions, transaction);
      const result = await work(unit);
      if (isProblem(result)) throw new Rejected(result);
      return { outcome: result, commit: await unit.finish() };
    });
    service.commits.emit(commit);
    return outcome;
  } catch (error) {
    if (error instanceof Rejected) return error.problem as T;
    throw error;
  }
}

/** Like `inUnit`, but always rolls back. */
export async function inTrial<T>(
  service: Service,
  requestOptions: RequestOptions,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  let outcome: { readonly of: T } | undefined;
  try {
    await service.database.transaction(async (transaction) => {
      outcome = { of: await work(new Unit(service, requestOptions, transaction, true)) };
      throw new TrialEnd();
    });
  } catch (error) {
    if (!(error instanceof TrialEnd)) throw error;
  }
  return outcome!.of;
}

/** Rolls back a trial. */
class TrialEnd extends Error {
  override readonly name = 'TrialEnd';
}

/** Rolls back a unit that resulted in a problem. */
class Rejected extends Error {
  override readonly name = 'Rejected';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export class Unit extends Reads implements UnitOfWork {
  readonly requestOptions: RequestOptions;
  /** Seconds since 1970, constant during the unit. */
  readonly now: number;
  /** Number of statements so far. */
  statements = 0;
  /** Number of statements so far that may have written rows. */
  writes = 0;
  readonly #transaction: Transaction;
  /** The unit will be rolled back. */
  readonly isTrial: boolean;
  readonly #journal: Journal;
  /** What the audit says about the unit. */
  readonly records: RecordChanges;
  /** Shared unique texts of new records that are not stored yet. */
  readonly #reserved: Map<string, Set<string>>;
  /** Files that a row of this unit no longer names. Others may still name them. */
  readonly #released: Set<string>;

  /** @param other this unit in another language */
  constructor(
    service: Service,
    requestOptions: RequestOptions,
    transaction: Transaction,
    isTrial = false,
    other?: Unit,
  ) {
    super(service, (statement, values) => this.#runCounted(statement, values), requestOptions);
    this.requestOptions = requestOptions;
    this.now = other?.now ?? service.clock.now();
    this.#transaction = transaction;
    this.isTrial = isTrial;
    this.#journal = other ? other.#journal : new Journal();
    this.records = other?.records ?? new RecordChanges();
    this.#reserved = other ? other.#reserved : new Map();
    this.#released = other ? other.#released : new Set();
  }

  /** Returns this unit in another language: what it writes belongs to this unit. */
  inLanguage(language: string): Unit {
    if (language === this.language) return this;
    const requestOptions = { ...this.requestOptions, language, unknownLanguage: undefined };
    return new Unit(this.service, requestOptions, this.#transaction, this.isTrial, this);
  }

  #runCounted(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    this.statements += 1;
    if (!statement.sql.startsWith('select')) this.writes += 1;
    return this.#transaction.run(statement, values);
  }

  /** Releases files, then writes the journal and the audit: the last statements of the unit. */
  async finish(): Promise<Commit> {
    await releaseFiles(this, [...this.#released]);
    const { changes } = this.#journal;
    await writeChanges(this, changes, this.records);
    return { changes, releasesFiles: this.#released.size > 0 };
  }

  /** The version of a record that this unit has changed, if its changes are journaled. */
  changedVersion(resource: ModelResource, id: Value): number | undefined {
    return this.#journal.versionOf(resource, id);
  }

  get group(): object | undefined {
    return this.#transaction.group;
  }

  lock(name: string): Promise<void> {
    return this.#transaction.lock(name);
  }

  /** Makes `used` report the shared unique texts of a new record before it is stored. The unit must not release them. */
  reserve(resource: ModelResource, values: Readonly<Record<string, Value>>): void {
    for (const { name, field } of resource.fields.values()) {
      if (typeof field.unique !== 'string') continue;
      const texts = this.#reserved.get(field.unique) ?? new Set();
      this.#reserved.set(field.unique, texts.add(values[name] as string));
    }
  }

  override async used(name: string, texts: readonly string[]): Promise<Set<string>> {
    const used = await super.used(name, texts);
    const reserved = this.#reserved.get(name);
    for (const text of texts) if (reserved?.has(text)) used.add(text);
    return used;
  }

  randomToken(bytes: number): string {
    return this.service.randomToken(bytes);
  }

  /** Reads records by identifier and locks them until the unit ends. */
  async hold(name: string, ids: readonly Value[]): Promise<Stored[]> {
    if (ids.length === 0) return [];
    const resource = this.resourceOf(name);
    await this.lockRecords(resource, ids);
    return this.list(name, { [resource.identifierField]: [...ids] });
  }

  /** Locks records until the unit ends. No effect if write transactions are serialized. */
  async lockRecords(resource: ModelResource, ids: readonly Value[]): Promise<void> {
    await this.#lockAll(`all ${resource.name}`, lookUps.lockRecords(resource), ids);
  }

  /** Ends claims on files that rows of this unit name from now on. */
  endClaims(claims: readonly Claim[]): Promise<void> {
    return endClaims(this, claims);
  }

  async insert(name: string, values: Readonly<Record<string, Value>>): Promise<Value> {
    return (await this.insertAll(name, [values]))[0]!;
  }

  /** Creates records with their texts, links, and parts. @returns their ids, in order */
  async insertAll(name: string, given: readonly Readonly<Record<string, Value>>[]): Promise<Value[]> {
    if (given.length === 0) return [];
    const resource = this.resourceOf(name);
    const all: Stored[] = [];
    for (const values of given) all.push(await inserts.complete(this, resource, values));
    const created = await inserts.insertRows(this, resource, all);
    const ids = created.map(({ id }) => id);
    for (const { id, path } of created) this.#journal.add(resource, id, 'created', { version: 1, path });
    await inserts.insertTexts(this, resource, ids, all);
    for (const field of resource.fields.values()) {
      const each = <T extends Value>(): T[] => all.map((values) => values[field.name] as T);
      if (field.storage.in === 'links') {
        const sets = await this.#insertSets(field, ids, each<Value[]>());
        for (const [index, set] of sets.entries()) all[index] = { ...all[index]!, [field.name]: set };
      }
      if (field.storage.in === 'parts') await this.#insertParts(field, ids, each<Stored[]>());
      if (typeof field.field.unique === 'string') await inserts.takeTexts(this, field, ids, each<string>());
    }
    for (const [index, id] of ids.entries()) this.records.created(resource, id, all[index]!, this.language);
    const { owner } = resource;
    if (owner && resource.changesOwner)
      await this.#touch(resource, [...new Set(all.map((values) => values[owner.name]!))]);
    return ids;
  }

  /**
   * Changes fields of a record: columns, texts in the unit's language, links.
   * @param stored the record before; without it, files of replaced values are not released
   */
  async update(name: string, id: Value, values: Readonly<Record<string, Value>>, stored?: Stored): Promise<void> {
    const resource = this.resourceOf(name);
    await former.storeBeforeUpdate(this, resource, id, values, stored);
    const before = await valuesBefore(this, resource, id, Object.keys(values), stored);
    const after = { ...values };
    const columns = columnsOf(resource, values);
    const published = publishedFields(resource, values);
    const key = `set ${name} ${columns.map(({ column }) => column).join()}`;
    const [row] = await this.query(key, rows.updateRecord(resource, columns, published !== undefined), {
      ...paramsOf(columns),
      id,
      now: this.now,
    });
    if (!row) return;
    await inserts.writeTexts(this, resource, id, values);
    for (const [fieldName, value] of Object.entries(values)) {
      const field = this.fieldOf(name, fieldName);
      if (field.storage.in === 'links')
        after[fieldName] = await this.#updateSet(field, id, before[fieldName] as Value[], value as Value[]);
      if (typeof field.field.unique === 'string') {
        await this.query(`release ${field.column} of ${name}`, rows.releaseSharedTexts(field), { ids: [id] });
        await inserts.takeTexts(this, field, [id], [value as string]);
      }
      const file = stored && fileIn(field, stored[field.name]!);
      if (file) this.#released.add(file);
    }
    if (!published) return;
    const [version, path, owner] = row;
    this.records.updated(resource, id, { before, after, owner: owner as Value }, this.language);
    this.#journal.add(resource, id, 'updated', stateOf(version, path), published);
    if (resource.owner && resource.changesOwner) await this.#touch(resource, [owner as Value]);
  }

  /** Sets the same columns of many records, each to its own values. Does not support texts, links and files. */
  async updateAll(name: string, changes: ReadonlyMap<Value, Readonly<Record<string, Value>>>): Promise<void> {
    const [first] = changes.values();
    if (!first) return;
    const resource = this.resourceOf(name);
    const names = Object.keys(first).sort().join();
    if ([...changes.values()].some((values) => Object.keys(values).sort().join() !== names))
      throw new Error(`Changes of ${name} in one update name different fields.`);
    await former.storeBeforeUpdates(this, resource, [...changes.keys()], Object.keys(first));
    const before = await allValuesBefore(this, resource, [...changes.keys()], Object.keys(first));
    const columns = columnsOf(resource, first);
    const published = publishedFields(resource, first);
    const key = `set all ${name} ${columns.map(({ column }) => column).join()}`;
    const given = [...changes].map(([id, values]) => [id, ...columnsOf(resource, values).map(({ value }) => value)]);
    const updated = await this.query(key, rows.updateRecords(resource, columns, published !== undefined), {
      rows: given,
      now: this.now,
    });
    if (!published) return;
    for (const [id, version, path, owner] of updated) {
      this.#journal.add(resource, id as Value, 'updated', stateOf(version, path), published);
      const values = { before: before.get(id as Value) ?? {}, after: changes.get(id as Value)!, owner: owner as Value };
      this.records.updated(resource, id as Value, values, this.language);
    }
    if (resource.owner && resource.changesOwner)
      await this.#touch(resource, [...new Set(updated.map(([, , , owner]) => owner as Value))]);
  }

  /** Deletes texts in the unit's language, so that the record shows those of another language again. */
  async removeTexts(name: string, id: Value, texts: readonly ModelField[]): Promise<void> {
    const resource = this.resourceOf(name);
    const names = texts.map((field) => field.name);
    const before = await valuesBefore(this, resource, id, names, undefined);
    const columns = texts.flatMap((field) => textColumns(field).map(({ column }) => column));
    const values = { id, language: this.language };
    await this.query(`clear ${name} ${columns.join()}`, rows.clearTexts(resource, columns), values);
    await this.query(`forget texts ${name}`, rows.forgetEmptyTexts(resource), values);
    await this.update(name, id, {});
    const after = Object.fromEntries(names.map((each) => [each, null]));
    this.records.updated(resource, id, { before, after, owner: null }, this.language);
    this.#journal.addFields(resource, id, names);
  }

  /**
   * Deletes the records whose columns have these values (an array matches any of its values), with everything that
   * depends on them: descendants in a tree, parts, and records with a cascading link.
   */
  async remove(name: string, where: Readonly<Record<string, Value>>): Promise<void> {
    const owners = new Map<ModelResource, Set<Value>>();
    const resource = this.resourceOf(name);
    await this.#removeBy(resource, where, { owners, isCascaded: false });
    for (const [part, ids] of owners) await this.#touch(part, [...ids]);
  }

  // Deletions

  /** Identifiers of the records whose columns have these values. Given identifiers are returned without a read. */
  async idsWhere(resource: ModelResource, where: Readonly<Record<string, Value>>): Promise<Value[]> {
    const [only, ...others] = Object.keys(where);
    if (only === resource.identifierField && others.length === 0) return listed(where)[only]!;
    const key = `ids of ${resource.name} by ${Object.keys(where).join()}`;
    const found = await this.query(key, lookUps.idsWhere(resource, this.fieldsOf(resource, where)), listed(where));
    return found.map(([id]) => id as Value);
  }

  async #removeBy(resource: ModelResource, where: Readonly<Record<string, Value>>, removal: Removal): Promise<void> {
    const values = new RemovedValues(resource, this.service.database.dialect);
    if (isLeaf(resource)) {
      await former.storeBeforeRemoval(this, resource, where);
      return this.#deleteRows(resource, where, removal, values);
    }
    let ids = await this.idsWhere(resource, where);
    if (ids.length === 0) return;
    if (resource.tree) ids = await this.#withDescendants(resource, ids);
    // After this lock, a row that another unit links to one of them is visible to this unit, or cannot be linked.
    await this.#lockAll(`for removal ${resource.name}`, rows.lockForRemoval(resource), ids);
    await former.storeBeforeRemoval(this, resource, { [resource.identifierField]: ids });
    for (const link of resource.linkedFrom) await this.#unlink(link, ids, removal);
    for (const field of resource.fields.values()) {
      if (field.storage.in === 'links') {
        const key = `unlink own ${resource.name}.${field.name}`;
        values.addSets(field, await this.query(key, rows.removePairsFrom(field), { ids }));
      }
      if (typeof field.field.unique === 'string')
        await this.query(`release ${field.column} of ${resource.name}`, rows.releaseSharedTexts(field), { ids });
    }
    if (resource.translations.length > 0)
      values.addTexts(await this.query(`delete texts ${resource.name}`, rows.deleteTexts(resource), { ids }));
    await this.#deleteRows(resource, { [resource.identifierField]: ids }, removal, values);
  }

  /** Removes links to records that are being deleted, or the linking records. */
  async #unlink(link: ModelField, ids: readonly Value[], removal: Removal): Promise<void> {
    const { storage, resource: other } = link;
    if (storage.in === 'links') {
      await former.storeBeforeUnlinking(this, link, ids);
      await this.query(`unlink all ${other.name}.${link.name}`, rows.removePairsTo(link), { ids: [...ids] });
    }
    // The database deletes unpublished records by cascade: they have no dependents, and may be very many.
    if (storage.in !== 'link' || other.isUnpublished) return;
    if (storage.onDelete === 'cascade')
      await this.#removeBy(other, { [link.name]: [...ids] }, { ...removal, isCascaded: true });
    if (storage.onDelete === 'set null') {
      await former.storeBeforeUnlinking(this, link, ids);
      await this.query(`unlink ${other.name}.${link.name}`, rows.unlinkRecords(link), { ids: [...ids] });
    }
  }

  async #deleteRows(
    resource: ModelResource,
    where: Readonly<Record<string, Value>>,
    { owners, isCascaded }: Removal,
    values: RemovedValues,
  ): Promise<void> {
    const key = `delete ${resource.name} by ${Object.keys(where).join()}`;
    const { columns } = values;
    const build = rows.deleteRecords(resource, this.fieldsOf(resource, where), columns);
    for (const [id, version, path, owner, ...others] of await this.query(key, build, listed(where))) {
      this.#journal.add(resource, id as Value, 'deleted', stateOf(Number(version) + 1, path));
      this.records.deleted(resource, id as Value, values.of(id as Value, others), owner as Value);
      for (const file of others.slice(columns.length)) if (file) this.#released.add(file as string);
      // A record deleted because of a record other than its owner has its own entry only (http.md §10).
      if (!resource.owner || !resource.changesOwner || isCascaded) continue;
      owners.set(resource, (owners.get(resource) ?? new Set()).add(owner as Value));
    }
  }

  async #withDescendants(resource: ModelResource, ids: readonly Value[]): Promise<Value[]> {
    const all = new Set<Value>();
    for (const id of ids)
      for (const [below] of await this.query(`subtree ${resource.name}`, lookUps.subtree(resource.tree!), { id }))
        all.add(below as Value);
    return [...all];
  }

  /** No effect if write transactions are serialized. */
  async #lockAll(key: string, build: Parameters<Reads['query']>[1], ids: readonly Value[]): Promise<void> {
    if (!this.service.database.dialect.writesInTurn) await this.query(`lock ${key}`, build, { ids: [...ids] });
  }

  /** Publishes changes of parts as a change of their owner, at most once per unit. */
  async #touch(part: ModelResource, owners: readonly Value[]): Promise<void> {
    const resource = part.owner!.target!;
    const fields = part.changedAs === undefined ? [] : [part.changedAs];
    const ids = owners.filter((id) => !this.#journal.has(resource, id));
    for (const id of owners) this.#journal.addFields(resource, id, fields);
    if (ids.length === 0) return;
    const touched = await this.query(`touch ${resource.name}`, rows.touchRecords(resource), { ids, now: this.now });
    for (const [id, version, path] of touched)
      this.#journal.add(resource, id as Value, 'updated', stateOf(version, path), fields);
  }

  // Links and parts

  /** @returns the sets, with the identifiers of created records */
  async #insertSets(field: ModelField, ids: readonly Value[], sets: readonly Value[][]): Promise<Value[][]> {
    const complete: Value[][] = [];
    for (const set of sets) complete.push(await this.#createMissing(field, set));
    await inserts.addPairs(
      this,
      field,
      complete.flatMap((set, index) => set.map((linked) => [ids[index]!, linked])),
    );
    return complete;
  }

  /** @returns the set, with the identifiers of created records */
  async #updateSet(field: ModelField, id: Value, before: readonly Value[], after: readonly Value[]): Promise<Value[]> {
    const wanted = await this.#createMissing(field, after);
    const removed = before.filter((value) => !wanted.includes(value));
    const added = wanted.filter((value) => !before.includes(value));
    const key = `${field.resource.name}.${field.name}`;
    if (removed.length > 0) await this.query(`unlink from ${key}`, rows.removePairs(field), { id, ids: removed });
    await inserts.addPairs(
      this,
      field,
      added.map((linked) => [id, linked]),
    );
    return wanted;
  }

  /** The ids of a set, after creating linked records that do not exist yet. */
  async #createMissing(field: ModelField, set: readonly Value[]): Promise<Value[]> {
    const created = await this.insertAll(field.target!.name, set.filter(isNew));
    return set.map((value) => (isNew(value) ? created.shift()! : value));
  }

  async #insertParts({ target }: ModelField, ids: readonly Value[], parts: readonly Stored[][]): Promise<void> {
    const owner = target!.owner!.name;
    const owned = parts.flatMap((own, index) => own.map((part) => ({ ...part, [owner]: ids[index]! })));
    await this.insertAll(target!.name, owned);
  }
}

/** State of one deletion while it cascades. */
interface Removal {
  /** Owners of deleted parts, by the parts' resource, including owners that are deleted as well. */
  readonly owners: Map<ModelResource, Set<Value>>;
  /** The record is deleted because of another one. */
  readonly isCascaded: boolean;
}

/** The changed fields to journal; undefined if only unpublished fields change. */
function publishedFields({ isUnpublished, fields }: ModelResource, values: object): string[] | undefined {
  const names = Object.keys(values);
  const published = names.filter((name) => !fields.get(name)!.field.unpublished);
  return isUnpublished || (published.length === 0 && names.length > 0) ? undefined : published;
}

/** The file that a value of the field names. */
function fileIn({ field }: ModelField, value: Value): string | null {
  if (field.fileIn) return field.fileIn(value);
  return field.file ? (value as string) : null;
}

function stateOf(version: unknown, path: unknown): Pick<Change, 'version' | 'path'> {
  return { version: Number(version), path: path as string };
}

/** Whether a record consists only of its own row. */
function isLeaf({ linkedFrom, fields, translations }: ModelResource): boolean {
  const hasDependents = [...fields.values()].some(
    ({ storage, field }) => storage.in === 'links' || typeof field.unique === 'string',
  );
  return linkedFrom.length === 0 && translations.length === 0 && !hasDependents;
}

/** A linked record that does not exist yet. */
function isNew(value: Value): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
