/** Reads for rules and operations, on committed data or inside a unit, which sees its own changes. */
import { type RawBuilder, sql } from 'kysely';
import type { Languages } from '../field.ts';
import { type ModelField, type ModelResource, snakeCase } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import { BindParam, type Dialect, type Row, type Value } from '../ports.ts';
import { publishedResources } from '../request/changes-query.ts';
import type { Reads as ReadsOfRules, Stored } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { recordQuery } from '../sql/query.ts';
import type { Run } from '../sql/run.ts';
import { columnType } from '../sql/source.ts';
import { looseMatch } from '../text-forms.ts';
import { readTimestamp } from '../time.ts';
import { cursorText, isExpired, readCursor } from './cursor.ts';
import { evaluateFields } from './evaluated-fields.ts';
import { LAST_POSITION } from './journal.ts';
import { type JournalPosition, readJournal } from './read-journal.ts';
import {
  languageMode,
  parentValues,
  queryContext,
  readOf,
  type Service,
  type Target,
  type Versioned,
} from './service.ts';

/** Longer than any unit takes and than server clocks differ. */
const OVERLAP_SECONDS = 3600;

interface ListOptions {
  readonly only?: readonly string[];
  readonly among?: Readonly<Record<string, Value>>;
}

export class Reads implements ReadsOfRules {
  readonly service: Service;
  readonly run: Run;
  readonly language: string;
  readonly defaultLanguage: string;

  constructor(service: Service, run: Run, { language, defaultLanguage }: Languages) {
    this.service = service;
    this.run = run;
    this.language = language;
    this.defaultLanguage = defaultLanguage;
  }

  /** Runs a statement that is compiled once per key. */
  query(
    key: string,
    build: (dialect: Dialect) => RawBuilder<unknown>,
    values: Readonly<Record<string, Value>>,
  ): Promise<Row[]> {
    return this.run(this.service.statements.get(key, build), values);
  }

  /** The output of a target's record, or undefined if it does not exist. */
  async shown(target: Target): Promise<Versioned | undefined> {
    const { route, fields } = target;
    const mode = languageMode(this);
    const { name, selection, statements } = readOf(this.service, route, mode, fields);
    const build = () => recordQuery(route, selection, queryContext(this.service, mode));
    const [row] = await this.run(statements.get(`record ${name}`, build), {
      ...parentValues(target),
      id: target.id ?? null,
      language: this.language,
      default_language: this.defaultLanguage,
    });
    if (!row) return undefined;
    const record = selection.record(row, this);
    await evaluateFields({ service: this.service, reads: this, languages: this }, route, fields, [record]);
    return { record, version: Number(row[selection.expressions.length]) };
  }

  async used(name: string, texts: readonly string[]): Promise<Set<string>> {
    const rows = await this.query(`used ${name}`, lookUps.usedTexts(name), { texts: [...texts] });
    return new Set(rows.map(([text]) => text as string));
  }

  async find(name: string, fieldName: string, value: Value): Promise<Value[]> {
    const field = this.fieldOf(name, fieldName);
    const build = lookUps.findByColumn(field, columnType(field));
    return (await this.query(`find ${name}.${fieldName}`, build, { value })).map(([id]) => id as Value);
  }

  async linking(name: string, fieldName: string, ids: readonly Value[]): Promise<Value[]> {
    if (ids.length === 0) return [];
    const build = lookUps.findBySet(this.fieldOf(name, fieldName));
    return (await this.query(`linking ${name}.${fieldName}`, build, { ids: [...ids] })).map(([id]) => id as Value);
  }

  async linkedTo(name: string, fieldName: string, ids: readonly Value[]): Promise<Set<Value>> {
    if (ids.length === 0) return new Set();
    const build = lookUps.linkedTo(this.fieldOf(name, fieldName));
    return new Set(
      (await this.query(`linked to ${name}.${fieldName}`, build, { ids: [...ids] })).map(([id]) => id as Value),
    );
  }

  async identify(name: string, fieldName: string, values: readonly Value[]): Promise<ReadonlyMap<Value, Value>> {
    if (values.length === 0) return new Map();
    const field = this.fieldOf(name, fieldName);
    const build = lookUps.identifyByColumn(field, columnType(field));
    const rows = await this.query(`identify ${name}.${fieldName}`, build, { values: [...values] });
    return new Map(rows.map(([value, id]) => [value as Value, id as Value]));
  }

  async named(name: string, names: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    if (names.length === 0) return new Map();
    const naming = this.resourceOf(name).naming!;
    const isLoose = naming.field.distinct !== undefined;
    const matched = (each: string): string => (isLoose ? looseMatch(each) : matchOf(naming, each));
    const params = {
      names: [...new Set(names.map(matched))],
      ...(isLoose ? {} : { language: this.language, default_language: this.defaultLanguage }),
    };
    const build = isLoose ? lookUps.findNamesLoosely(naming) : lookUps.findNames(naming);
    const rows = await this.query(`names ${name}`, build, params);
    const ids = new Map(rows.map(([match, id]) => [match as string, id as Value]));
    return new Map(
      names.flatMap((each) => {
        const id = ids.get(matched(each)) ?? null;
        return id === null ? [] : [[each, id] as const];
      }),
    );
  }

  async read(name: string, id: Value): Promise<Stored | undefined> {
    return (await this.list(name, { [this.resourceOf(name).identifierField]: id }))[0];
  }

  async list(
    name: string,
    where: Readonly<Record<string, Value>>,
    { only, among = {} }: ListOptions = {},
  ): Promise<Stored[]> {
    const resource = this.resourceOf(name);
    const build = lookUps.storedRecords(resource, this.fieldsOf(resource, where), this.fieldsOf(resource, among), only);
    const key = `stored ${name} by ${Object.keys(where).join()} among ${Object.keys(among).join()} only ${only?.join() ?? 'all'}`;
    const values = { ...listed(among), ...listed(where), language: this.language };
    const rows = await this.query(key, build, values);
    const { columns, texts, sets } = lookUps.storedFields(resource, only);
    const fields = [...columns, ...texts, ...sets];
    const { decode } = this.service.database.dialect;
    return rows.map((row) => {
      const stored: Record<string, Value> = {};
      for (const [index, { name: field, storage }] of fields.entries()) {
        const raw = row[index];
        const type = storage.in === 'column' ? storage.type : storage.in === 'links' ? 'json' : undefined;
        stored[field] = raw === null || type === undefined ? (raw as Value) : decode[type](raw as never);
      }
      return stored;
    });
  }

  async texts(
    name: string,
    ids: readonly Value[],
    fieldName: string,
  ): Promise<ReadonlyMap<Value, Readonly<Record<string, string>>>> {
    const texts = new Map<Value, Record<string, string>>(ids.map((id) => [id, {}]));
    if (ids.length === 0) return texts;
    const build = lookUps.textsOf(this.fieldOf(name, fieldName));
    for (const [id, code, text] of await this.query(`texts of ${name}.${fieldName}`, build, { ids: [...ids] }))
      texts.get(id as Value)![code as string] = text as string;
    return texts;
  }

  async hasTexts(language: string): Promise<boolean> {
    const translated = [...this.service.model.resources.values()].filter(({ translations }) => translations.length > 0);
    if (translated.length === 0) return false;
    return (await this.query('texts in language', lookUps.textsInLanguage(translated), { language })).length > 0;
  }

  async ancestors(name: string, id: Value): Promise<Value[]> {
    const rows = await this.query(`ancestors ${name}`, lookUps.ancestors(this.resourceOf(name).tree!), { id });
    return rows.map(([one]) => one as Value);
  }

  async cursorAfter(
    text: string,
    reader: { readonly cursor: string; readonly since: number },
  ): Promise<{ readonly cursor: string } | 'gone' | 'ahead' | undefined> {
    const { model, statements, database, environment } = this.service;
    const journal = { model, statements, database: { dialect: database.dialect, query: this.run } };
    const noEntries = { after: 0, until: 0, isNewest: false, resources: undefined, limit: 0 };
    const cursor = readCursor(text);
    const timestamp = cursor ? undefined : readTimestamp(text, environment.timeZone)?.seconds;
    if (!cursor && timestamp === undefined) return undefined;
    const before = timestamp === undefined ? undefined : await this.#lastBefore(timestamp);
    const state = await readJournal(journal, noEntries, [(cursor ?? before)!.position]);
    const journalCursor = cursor ?? { epoch: state.epoch ?? '', ...before! };
    if (isExpired(journalCursor, state)) return 'gone';
    const own = readCursor(reader.cursor) ?? (await this.#lastBefore(reader.since));
    return journalCursor.position > own.position ? 'ahead' : { cursor: cursorText(journalCursor) };
  }

  /**
   * The last entry before all entries made since the timestamp. Overlapping units may be ordered differently than they
   * began, so the search for the first of these entries starts well before the timestamp.
   */
  async #lastBefore(timestamp: number): Promise<JournalPosition> {
    const change = sql.table('change');
    const [row] = await this.query(
      'last change before',
      ({ placeholder }) => sql`select position, mark from ${change} where position < coalesce(
          (select position from ${change} where at >= ${placeholder(new BindParam('timestamp', 'timestamp'))} and position > coalesce(
            (select position from ${change} where at < ${placeholder(new BindParam('well_before', 'timestamp'))} order by position desc limit 1), 0)
            order by position limit 1),
          ${LAST_POSITION} + 1) order by position desc limit 1`,
      { timestamp, well_before: timestamp - OVERLAP_SECONDS },
    );
    return row ? { position: Number(row[0]), mark: Number(row[1]) } : { position: 0, mark: 0 };
  }

  publishedResources(): readonly string[] {
    return publishedResources(this.service.model).map(snakeCase);
  }

  async count(name: string, where: Readonly<Record<string, Value>>): Promise<number> {
    const resource = this.resourceOf(name);
    const build = lookUps.countWhere(resource, this.fieldsOf(resource, where));
    const [row] = await this.query(`count ${name} where ${Object.keys(where).join()}`, build, listed(where));
    return Number(row![0]);
  }

  protected resourceOf(name: string): ModelResource {
    const resource = this.service.model.resources.get(name);
    if (!resource) throw new Error(`There is no resource ${name}.`);
    return resource;
  }

  protected fieldOf(name: string, fieldName: string): ModelField {
    const field = this.resourceOf(name).fields.get(fieldName);
    if (!field) throw new Error(`${name} has no field ${fieldName}.`);
    return field;
  }

  protected fieldsOf({ name }: ModelResource, where: object): ModelField[] {
    return Object.keys(where).map((field) => this.fieldOf(name, field));
  }
}

/** Reads committed data. */
export function committed(service: Service, languages: Languages): Reads {
  return new Reads(service, (statement, values) => service.database.query(statement, values), languages);
}

/** Like `committed`, for statements that may scan all records. */
export function searching(service: Service, languages: Languages): Reads {
  return new Reads(service, (statement, values) => service.database.search(statement, values), languages);
}

/** Wraps each value in a list, for the list parameters of a `where`. */
export function listed(where: Readonly<Record<string, Value>>): Record<string, Value[]> {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
}
