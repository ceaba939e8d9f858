/**
 * The unit of work: one transaction, with its moment, what it reads, every change that it makes and the journal of them.
 * Each change of a row goes through `insert`, `update`, `remove` or one of their kin here, so the unit knows all that it
 * changed: records that go with another, owners whose parts changed, files that nothing names any more.
 */

import { isProblem, type Problem } from '../errors.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { numberTable, textColumns, VERSION } from '../model/tables.ts';
import { BindParam, type Statement, type Transaction, type Value } from '../ports.ts';
import type { Stored, UnitOfWork } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import type { Change, Commit } from './commits.ts';
import { columnsOf, type Filled, paramsOf, textsOf } from './filled.ts';
import { Journal, journalStatement } from './journal.ts';
import { listed, Reads } from './reads.ts';
import { type Claim, endClaims, releaseFiles } from './released-files.ts';
import * as rows from './rows.ts';
import type { RequestOptions, Service } from './service.ts';

/**
 * Runs the work as one unit: all of it is on disk once this resolves, or nothing is. A problem undoes what the work has
 * written. A lost race for a row runs the work again, so it has no effect but through the unit.
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
      if (isProblem(result)) throw new Refused(result);
      return { outcome: result, commit: await unit.finish() };
    });
    service.commits.emit(commit);
    return outcome;
  } catch (error) {
    if (error instanceof Refused) return error.problem as T;
    throw error;
  }
}

/** As `inUnit`, and nothing of it stays, whatever it comes to. */
export async function inTrial<T>(
  service: Service,
  requestOptions: RequestOptions,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  let outcome: { readonly of: T } | undefined;
  try {
    await service.database.transaction(async (transaction) => {
      outcome = { of: await work(new Unit(service, requestOptions, transaction, true)) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return outcome!.of;
}

/** Undoes a trial. */
class Undone extends Error {
  override readonly name = 'Undone';
}

/** Undoes a unit that came to a problem. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export class Unit extends Reads implements UnitOfWork {
  readonly requestOptions: RequestOptions;
  /** Seconds since 1970; the same for all that the unit does. */
  readonly now: number;
  readonly #transaction: Transaction;
  /** Nothing of it will stay. */
  readonly #isTrial: boolean;
  readonly #journal = new Journal();
  /** Files that a row of this unit names no more. Others may name them still. */
  readonly #released = new Set<string>();

  constructor(service: Service, requestOptions: RequestOptions, transaction: Transaction, isTrial = false) {
    super(service, (statement: Statement, values) => transaction.run(statement, values), requestOptions);
    this.requestOptions = requestOptions;
    this.now = service.clock.now();
    this.#transaction = transaction;
    this.#isTrial = isTrial;
  }

  /** Releases files, then writes the journal: the last statements of the unit. */
  async finish(): Promise<Commit> {
    await releaseFiles(this, [...this.#released]);
    const { changes } = this.#journal;
    if (changes.length > 0) {
      const { keyName } = this.requestOptions.actor;
      const mark = Number.parseInt(this.service.uuid().slice(0, 8), 16);
      const { statement, values } = journalStatement(this.service, changes, { keyName, now: this.now, mark });
      await this.run(statement, values);
    }
    return { changes, releasesFiles: this.#released.size > 0 };
  }

  /** The version of a record now, where this unit has changed it and the journal tells its changes. */
  changedVersion(resource: ModelResource, id: Value): number | undefined {
    return this.#journal.versionOf(resource, id);
  }

  lock(name: string): Promise<void> {
    return this.#transaction.lock(name);
  }

  randomToken(bytes: number): string {
    return this.service.randomToken(bytes);
  }

  /** As `list` by identifiers, and no other unit changes these records until this one ends. */
  async hold(name: string, ids: readonly Value[]): Promise<Stored[]> {
    if (ids.length === 0) return [];
    const resource = this.resourceOf(name);
    await this.#lockAll(`all ${name}`, lookUps.lockRecords(resource), ids);
    return this.list(name, { [resource.identifierField]: [...ids] });
  }

  /** Files that were claimed and put are kept from now on by the rows that this unit writes. */
  endClaims(claims: readonly Claim[]): Promise<void> {
    return endClaims(this, claims);
  }

  async insert(name: string, values: Readonly<Record<string, Value>>): Promise<Value> {
    return (await this.insertAll(name, [values]))[0]!;
  }

  /** Makes records with their texts, links, and the parts that are made together with them. @returns ids, in order */
  async insertAll(name: string, given: readonly Readonly<Record<string, Value>>[]): Promise<Value[]> {
    if (given.length === 0) return [];
    const resource = this.resourceOf(name);
    const all: Stored[] = [];
    for (const values of given) all.push(await this.#complete(resource, values));
    const made = await this.#insertRows(resource, all);
    const ids = made.map(({ id }) => id);
    for (const { id, path } of made) this.#journal.note(resource, id, 'created', { version: 1, path });
    await this.#insertTexts(resource, ids, all);
    for (const field of resource.fields.values()) {
      const each = <T extends Value>(): T[] => all.map((values) => values[field.name] as T);
      if (field.storage.in === 'links') await this.#insertSets(field, ids, each<Value[]>());
      if (field.storage.in === 'parts') await this.#insertParts(field, ids, each<Stored[]>());
      if (typeof field.field.unique === 'string') await this.#takeTexts(field, ids, each<string>());
    }
    const { owner } = resource;
    if (owner && !resource.isUnpublished)
      await this.#touch(resource, [...new Set(all.map((values) => values[owner.name]!))]);
    return ids;
  }

  /**
   * Changes fields of a record: its columns, its texts in the unit's language, its links.
   * @param stored the record as it was; without it, the file that a value replaces is not released
   */
  async update(name: string, id: Value, values: Readonly<Record<string, Value>>, stored?: Stored): Promise<void> {
    const resource = this.resourceOf(name);
    const columns = columnsOf(resource, values);
    const told = toldOf(resource, values);
    const key = `set ${name} ${columns.map(({ column }) => column).join()}`;
    const [row] = await this.ask(key, rows.updateRecord(resource, columns, told !== undefined), {
      ...paramsOf(columns),
      id,
      now: this.now,
    });
    if (!row) return;
    await this.#updateTexts(resource, id, values);
    for (const [fieldName, value] of Object.entries(values)) {
      const field = this.fieldOf(name, fieldName);
      if (field.storage.in === 'links') {
        const before = stored ?? (await this.read(name, id))!;
        await this.#updateSet(field, id, before[field.name] as Value[], value as Value[]);
      }
      if (typeof field.field.unique === 'string') {
        await this.ask(`release ${field.column} of ${name}`, rows.releaseSharedTexts(field), { ids: [id] });
        await this.#takeTexts(field, [id], [value as string]);
      }
      const file = stored && fileIn(field, stored[field.name]!);
      if (file) this.#released.add(file);
    }
    if (!told) return;
    const [version, path, owner] = row;
    this.#journal.note(resource, id, 'updated', stateOf(version, path), told);
    if (resource.owner) await this.#touch(resource, [owner as Value]);
  }

  /** Sets the same columns of many records, each to values of its own. Texts, links and files are no columns. */
  async updateAll(name: string, changes: ReadonlyMap<Value, Readonly<Record<string, Value>>>): Promise<void> {
    const [first] = changes.values();
    if (!first) return;
    const resource = this.resourceOf(name);
    const names = Object.keys(first).sort().join();
    if ([...changes.values()].some((values) => Object.keys(values).sort().join() !== names))
      throw new Error(`Changes of ${name} at once name different fields.`);
    const columns = columnsOf(resource, first);
    const told = toldOf(resource, first);
    const key = `set all ${name} ${columns.map(({ column }) => column).join()}`;
    const given = [...changes].map(([id, values]) => [id, ...columnsOf(resource, values).map(({ value }) => value)]);
    const updated = await this.ask(key, rows.updateRecords(resource, columns, told !== undefined), {
      rows: given,
      now: this.now,
    });
    if (!told) return;
    for (const [id, version, path] of updated)
      this.#journal.note(resource, id as Value, 'updated', stateOf(version, path), told);
    if (resource.owner) await this.#touch(resource, [...new Set(updated.map(([, , , owner]) => owner as Value))]);
  }

  /** Takes texts of the unit's language away, so that the record shows another language's again. */
  async removeTexts(name: string, id: Value, texts: readonly ModelField[]): Promise<void> {
    const resource = this.resourceOf(name);
    const columns = texts.flatMap((field) => textColumns(field).map(({ column }) => column));
    const values = { id, language: this.language };
    await this.ask(`clear ${name} ${columns.join()}`, rows.clearTexts(resource, columns), values);
    await this.ask(`forget texts ${name}`, rows.forgetEmptyTexts(resource), values);
    await this.update(name, id, {});
    this.#journal.addFields(
      resource,
      id,
      texts.map((field) => field.name),
    );
  }

  /**
   * Deletes the records whose columns hold these values, an array stands for any of its values; and all that goes with
   * them: what is below them in a tree, their parts, what links to them and cannot be without.
   */
  async remove(name: string, where: Readonly<Record<string, Value>>): Promise<void> {
    const owners = new Map<ModelResource, Set<Value>>();
    const resource = this.resourceOf(name);
    await this.#removeBy(resource, where, { owners, isWithAnother: false });
    for (const [part, ids] of owners) await this.#touch(part, [...ids]);
  }

  // Removals, with all that goes with a record

  async #removeBy(resource: ModelResource, where: Readonly<Record<string, Value>>, removal: Removal): Promise<void> {
    if (isLeaf(resource)) return this.#deleteRows(resource, where, removal);
    let ids = await this.#idsWhere(resource, where);
    if (ids.length === 0) return;
    if (resource.tree) ids = await this.#withAllBelow(resource, ids);
    // A row that another unit links to one of them is there before this unit looks, or finds nothing to link to.
    await this.#lockAll(`for removal ${resource.name}`, rows.lockForRemoval(resource), ids);
    for (const link of resource.linkedFrom) {
      const { storage, resource: other } = link;
      if (storage.in === 'links')
        await this.ask(`unlink all ${other.name}.${link.name}`, rows.removePairsOf(link, resource), { ids });
      if (storage.in !== 'link') continue;
      // The database takes them along: nothing else hangs on them, and there may be very many.
      if (other.isUnpublished) continue;
      if (storage.onDelete === 'cascade')
        await this.#removeBy(other, { [link.name]: ids }, { ...removal, isWithAnother: true });
      if (storage.onDelete === 'set null')
        await this.ask(`unlink ${other.name}.${link.name}`, rows.unlinkRecords(link), { ids });
    }
    for (const field of resource.fields.values()) {
      if (field.storage.in === 'links')
        await this.ask(`unlink own ${resource.name}.${field.name}`, rows.removePairsOf(field, resource), { ids });
      if (typeof field.field.unique === 'string')
        await this.ask(`release ${field.column} of ${resource.name}`, rows.releaseSharedTexts(field), { ids });
    }
    if (resource.translations.length > 0)
      await this.ask(`delete texts ${resource.name}`, rows.deleteTexts(resource), { ids });
    await this.#deleteRows(resource, { [resource.identifierField]: ids }, removal);
  }

  async #deleteRows(
    resource: ModelResource,
    where: Readonly<Record<string, Value>>,
    { owners, isWithAnother }: Removal,
  ): Promise<void> {
    const key = `delete ${resource.name} by ${Object.keys(where).join()}`;
    const build = rows.deleteRecords(resource, this.fieldsOf(resource, where));
    for (const [id, version, path, owner, ...files] of await this.ask(key, build, listed(where))) {
      this.#journal.note(resource, id as Value, 'deleted', stateOf(Number(version) + 1, path));
      for (const file of files) if (file) this.#released.add(file as string);
      // A record that goes with another than its owner has its own entry, and leaves the owner as it is (http.md §10).
      if (!resource.owner || resource.isUnpublished || isWithAnother) continue;
      owners.set(resource, (owners.get(resource) ?? new Set()).add(owner as Value));
    }
  }

  async #idsWhere(resource: ModelResource, where: Readonly<Record<string, Value>>): Promise<Value[]> {
    const key = `ids of ${resource.name} by ${Object.keys(where).join()}`;
    const found = await this.ask(key, lookUps.idsWhere(resource, this.fieldsOf(resource, where)), listed(where));
    return found.map(([id]) => id as Value);
  }

  async #withAllBelow(resource: ModelResource, ids: readonly Value[]): Promise<Value[]> {
    const all = new Set<Value>();
    for (const id of ids)
      for (const [below] of await this.ask(`subtree ${resource.name}`, lookUps.subtree(resource.tree!), { id }))
        all.add(below as Value);
    return [...all];
  }

  /** Where units write in turn, nothing else changes meanwhile. */
  async #lockAll(key: string, build: Parameters<Reads['ask']>[1], ids: readonly Value[]): Promise<void> {
    if (!this.service.database.dialect.writesInTurn) await this.ask(`lock ${key}`, build, { ids: [...ids] });
  }

  /** A change of a part is a change of what it is part of: one for all that this unit changes of it. */
  async #touch(part: ModelResource, owners: readonly Value[]): Promise<void> {
    const resource = part.owner!.target!;
    const fields = part.shownBy ? [part.shownBy.name] : [];
    const ids = owners.filter((id) => !this.#journal.has(resource, id));
    for (const id of owners) this.#journal.addFields(resource, id, fields);
    if (ids.length === 0) return;
    const touched = await this.ask(`touch ${resource.name}`, rows.touchRecords(resource), { ids, now: this.now });
    for (const [id, version, path] of touched)
      this.#journal.note(resource, id as Value, 'updated', stateOf(version, path), fields);
  }

  // The rows of new records

  /** Every field's value: what was not given has its default. A text that nobody wrote is in no language. */
  async #complete(resource: ModelResource, given: Readonly<Record<string, Value>>): Promise<Stored> {
    const values: Record<string, Value> = {};
    for (const field of resource.fields.values()) {
      const value = given[field.name];
      if (value === undefined && field.storage.in === 'translation') continue;
      values[field.name] = value ?? this.#initialValue(field);
      if (field.field.numbered) values[field.name] = await this.#numbered(field, values[field.name] as string | null);
    }
    return values;
  }

  #initialValue({ field, isIdentifier, resource }: ModelField): Value {
    if (field.stamped) return this.now;
    return isIdentifier && resource.identifier.kind === 'uuid' ? this.service.uuid() : field.default;
  }

  /** The given number, above which the sequence goes on; or the sequence's next. */
  async #numbered(field: ModelField, given: string | null): Promise<string> {
    const table = numberTable(field);
    if (given === null) {
      for (;;) {
        const [next] = await this.ask(`next ${table}`, ({ nextNumber }) => nextNumber(table), {});
        const text = String(next![0]);
        const values = { text, id: noIdentifier(field.resource) };
        const taken = `taken ${field.resource.name}.${field.name}`;
        if ((await this.ask(taken, lookUps.takenText(field), values)).length === 0) return text;
      }
    }
    // A sequence that is raised stays so, whatever becomes of the transaction.
    if (this.#isTrial || !/^\d+$/.test(given) || given.length > DIGITS_COUNTED_MAX) return given;
    await this.lock(`numbers of ${table}`);
    const raise = new BindParam('number', 'integer');
    await this.ask(`raise ${table}`, ({ raiseNumber }) => raiseNumber(table, raise), { number: Number(given) });
    return given;
  }

  async #insertRows(resource: ModelResource, all: readonly Stored[]): Promise<{ id: Value; path: string }[]> {
    const { name } = resource;
    if (all.length === 1) {
      const columns = columnsOf(resource, all[0]!);
      const [row] = await this.ask(`insert ${name}`, rows.insertRecord(resource, columns), paramsOf(columns));
      return [{ id: row![0] as Value, path: row![1] as string }];
    }
    // A record may have no column but its id, and many are given by at least one.
    const filled = (values: Stored): Filled[] => [
      ...columnsOf(resource, values),
      { column: VERSION, type: 'integer', value: 1 },
    ];
    const given = all.map((values) => filled(values).map(({ value }) => value));
    const made = await this.ask(`insert all ${name}`, rows.insertRecords(resource, filled(all[0]!)), { rows: given });
    const paths = new Map(made.map(([id, path]) => [id as Value, path as string]));
    const ids =
      resource.identifier.kind === 'integer'
        ? made.map(([id]) => id as number).sort((one, other) => one - other)
        : all.map((values) => values[resource.identifierField]!);
    return ids.map((id) => ({ id, path: paths.get(id)! }));
  }

  async #insertTexts(resource: ModelResource, ids: readonly Value[], all: readonly Stored[]): Promise<void> {
    if (ids.length === 1) return this.#updateTexts(resource, ids[0]!, all[0]!);
    if (resource.translations.length === 0) return;
    const given: Value[][] = [];
    for (const [index, values] of all.entries()) {
      const texts = textsOf(resource, values, null);
      if (texts.some(({ value }) => value !== null))
        given.push([ids[index]!, this.language, ...texts.map(({ value }) => value)]);
    }
    const columns = textsOf(resource, {}, null);
    if (given.length > 0)
      await this.ask(`insert texts ${resource.name}`, rows.insertTexts(resource, columns), { rows: given });
  }

  async #updateTexts(resource: ModelResource, id: Value, values: Readonly<Record<string, Value>>): Promise<void> {
    const columns = textsOf(resource, values);
    if (columns.length === 0) return;
    const key = `texts ${resource.name} ${columns.map(({ column }) => column).join()}`;
    await this.ask(key, rows.writeTexts(resource, columns), { ...paramsOf(columns), id, language: this.language });
  }

  async #insertSets(field: ModelField, ids: readonly Value[], sets: readonly Value[][]): Promise<void> {
    const pairs: Value[][] = [];
    for (const [index, set] of sets.entries())
      for (const linked of await this.#made(field, set)) pairs.push([ids[index]!, linked]);
    await this.#addPairs(field, pairs);
  }

  async #updateSet(field: ModelField, id: Value, before: readonly Value[], after: readonly Value[]): Promise<void> {
    const wanted = await this.#made(field, after);
    const removed = before.filter((value) => !wanted.includes(value));
    const added = wanted.filter((value) => !before.includes(value));
    const key = `${field.resource.name}.${field.name}`;
    if (removed.length > 0) await this.ask(`unlink from ${key}`, rows.removePairs(field), { id, ids: removed });
    await this.#addPairs(
      field,
      added.map((linked) => [id, linked]),
    );
  }

  async #addPairs(field: ModelField, pairs: Value[][]): Promise<void> {
    const key = `link ${field.resource.name}.${field.name}`;
    if (pairs.length > 0) await this.ask(key, rows.addPairs(field), { rows: pairs });
  }

  /** The ids of a set; a linked record that is still to be made is made. */
  async #made(field: ModelField, set: readonly Value[]): Promise<Value[]> {
    const made = await this.insertAll(field.target!.name, set.filter(isNew));
    return set.map((value) => (isNew(value) ? made.shift()! : value));
  }

  async #insertParts({ target }: ModelField, ids: readonly Value[], parts: readonly Stored[][]): Promise<void> {
    const owner = target!.owner!.name;
    const owned = parts.flatMap((own, index) => own.map((part) => ({ ...part, [owner]: ids[index]! })));
    await this.insertAll(target!.name, owned);
  }

  async #takeTexts(field: ModelField, ids: readonly Value[], texts: readonly string[]): Promise<void> {
    const given = texts.map((text, index): Value[] => [text, ids[index]!]).filter(([text]) => text !== '');
    const key = `take ${field.column} of ${field.resource.name}`;
    if (given.length > 0) await this.ask(key, rows.takeSharedTexts(field), { rows: given });
  }
}

/** The knowledge of one removal while it goes from record to record. */
interface Removal {
  /** By the resource of the parts that went: the owners that they were part of, whether or not those go too. */
  readonly owners: Map<ModelResource, Set<Value>>;
  /** The record goes because another one does. */
  readonly isWithAnother: boolean;
}

/** The fields whose change is one of the record; undefined where only the program's notes beside it change. */
function toldOf({ isUnpublished, fields }: ModelResource, values: object): string[] | undefined {
  const names = Object.keys(values);
  const told = names.filter((name) => !fields.get(name)!.field.unpublished);
  return isUnpublished || (told.length === 0 && names.length > 0) ? undefined : told;
}

/** Longer numbers are left alone: a sequence that had reached them would have nothing left to count. */
const DIGITS_COUNTED_MAX = 15;

/** The file that a value of the field names. */
function fileIn({ field }: ModelField, value: Value): string | null {
  if (field.fileIn) return field.fileIn(value);
  return field.file ? (value as string) : null;
}

function stateOf(version: unknown, path: unknown): Pick<Change, 'version' | 'path'> {
  return { version: Number(version), path: path as string };
}

/** Whether nothing hangs on a record but its own row. */
function isLeaf({ linkedFrom, fields, translations }: ModelResource): boolean {
  const hangsOn = [...fields.values()].some(
    ({ storage, field }) => storage.in === 'links' || typeof field.unique === 'string',
  );
  return linkedFrom.length === 0 && translations.length === 0 && !hangsOn;
}

/** A linked record that is still to be made. */
function isNew(value: Value): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An identifier that no record has. */
export function noIdentifier({ identifierType }: ModelResource): Value {
  return identifierType === 'integer' ? -1 : '';
}
