/** What operations work with: the model and the world, wired once by `cli/`; and what one request asks of them. */

import type { BodyReading } from './body.ts';
import type { Problem } from './errors.ts';
import type { Model, ModelField, ModelPlace } from './model.ts';
import type { Clock, Database, ImageStore, Pictures, Transaction, Upload, Value } from './ports.ts';
import { type LanguageMode, type QueryContext, type Selection, selectOutput } from './query.ts';
import type { ShownRecord, View, Visitor, World } from './resource.ts';
import { Shapes, Statements } from './shapes.ts';
import { fieldsRead } from './shown-fields.ts';

export interface Service {
  readonly model: Model;
  readonly world: World;
  readonly database: Database;
  readonly images: ImageStore;
  readonly pictures: Pictures;
  readonly clock: Clock;
  /** A fresh uuid, lower case. */
  readonly uuid: () => string;
  readonly statements: Statements;
  readonly whole: Reads;
  /** Apart, so that however many sets of fields are asked for, those forget only each other. */
  readonly partial: Reads;
}

/** What is worked out once for each place and set of fields. */
interface Reads {
  readonly statements: Statements;
  readonly selections: Shapes<Selection>;
}

/** Sets of fields combine to more shapes than can be kept. */
const PARTIAL_MAX = 200;

export function createService(parts: Omit<Service, 'statements' | 'whole' | 'partial'>): Service {
  const { dialect } = parts.database;
  const statements = new Statements(dialect);
  return {
    ...parts,
    statements,
    whole: { statements, selections: new Shapes() },
    partial: { statements: new Statements(dialect, PARTIAL_MAX), selections: new Shapes(PARTIAL_MAX) },
  };
}

/** The same store at another address. What it shows has the address in it, so that is worked out anew. */
export function serviceAt(service: Service, baseUrl: string): Service {
  const { whole, partial, world } = service;
  return {
    ...service,
    world: { ...world, baseUrl },
    whole: { ...whole, selections: new Shapes() },
    partial: { ...partial, selections: new Shapes(PARTIAL_MAX) },
  };
}

/** What every operation needs of a request. */
export interface Request {
  readonly place: ModelPlace;
  /** Identifiers of the parents in the path, in order. */
  readonly parents: readonly Value[];
  /** The record's identifier in the path, where there is one. */
  readonly id?: Value;
  /** What is shown of a record that is read; undefined is everything. */
  readonly fields?: readonly ModelField[] | undefined;
  readonly language: string;
  readonly defaultLanguage: string;
  /** The language only stands in for those that the client named: a write of texts is refused with this. */
  readonly unknownLanguage?: Problem | undefined;
  /** The tags in If-Match and in a write's If-None-Match, as sent. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Unknown fields are passed over. */
  readonly lenient: boolean;
  /** A PUT keeps the optional fields that it leaves out (COMPATIBILITY=5.5). */
  readonly keepsLeftOut: boolean;
  readonly visitor: Visitor;
  /** The record was made elsewhere and is only taken down. */
  readonly past?: boolean;
  /** What the transaction of the change begins with; a problem ends it. */
  readonly first?: (transaction: Transaction) => Promise<Problem | undefined>;
  /** More writes in the transaction of the change, once it has passed every check. */
  readonly alongside?: (transaction: Transaction, found: Found) => Promise<void>;
  /** The body came as a form; `upload` is its file, where it has one. */
  readonly form?: { readonly upload: Upload | undefined };
  /** Slow work before the transaction, which needs no place among the writes. */
  readonly aside?: <T>(work: () => Promise<T>) => Promise<T>;
  /** What a GET of this request's format answers for a record: its bytes and its tag. */
  readonly represent: (record: ShownRecord, version: number, shown: Shown) => Representation;
}

/** What is shown: a record where it was found; a view of it; what one field of it shows; or its texts by language. */
export type Shown = Pick<Request, 'place' | 'parents' | 'id' | 'fields'> & {
  readonly view?: View;
  readonly field?: string;
  /** Its own texts: of one language, or of all. */
  readonly texts?: { readonly language?: string };
};

export interface Representation {
  readonly body: string;
  readonly etag: string;
}

/** A record in the form that the request asked for. */
export interface Found extends Representation {
  readonly record: ShownRecord;
  readonly version: number;
}

export function languageMode(request: Pick<Request, 'language' | 'defaultLanguage'>): LanguageMode {
  return request.language === request.defaultLanguage ? 'default' : 'other';
}

export function queryContext(service: Service, mode: LanguageMode): QueryContext {
  return { dialect: service.database.dialect, world: service.world, mode };
}

/** How a place's records are read, worked out on first use; `name` is that of the place, the language and the fields. */
export interface Read {
  readonly name: string;
  readonly selection: Selection;
  readonly statements: Statements;
}

/** @param fields what is shown; undefined is everything */
export function readOf(
  service: Service,
  place: ModelPlace,
  mode: LanguageMode,
  fields: readonly ModelField[] | undefined,
): Read {
  const { statements, selections } = fields ? service.partial : service.whole;
  const name = `${place.path} ${mode} ${fields ? fields.map((field) => field.name).join() : ''}`;
  const selection = selections.get(name, () => {
    const outputs = fields ? fieldsRead(place, fields) : place.outputs;
    return selectOutput(place.resource, 'a', queryContext(service, mode), outputs);
  });
  return { name, selection, statements };
}

/** The same request where its answer is the record that one field shows; the version is the whole record's. */
export function showing(request: Request, field: string): Request {
  return {
    ...request,
    represent: (record, version, shown) =>
      request.represent(record[field] as ShownRecord, version, { ...shown, field }),
  };
}

/** What the bodies of this request are read with. */
export function readingOf({ world }: Service, { lenient, form, past = false }: Request): BodyReading {
  return {
    baseUrl: world.baseUrl,
    timeZone: world.timeZone,
    settings: world.settings,
    lenient,
    past,
    isForm: form !== undefined,
  };
}

/** The values of the slots that name the parents. */
export function parentValues(request: Pick<Request, 'parents'>): Record<string, Value> {
  return Object.fromEntries(request.parents.map((id, index) => [`parent_${index}`, id]));
}
