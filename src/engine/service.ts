/** What operations work with: the model and the world, wired once by `cli/`; and what one request asks of them. */

import type { BodyReading } from './body.ts';
import type { Problem } from './errors.ts';
import type { Model, ModelPlace } from './model.ts';
import type { Clock, Database, ImageStore, Pictures, Transaction, Value } from './ports.ts';
import { type LanguageMode, type QueryContext, type Selection, selectOutput } from './query.ts';
import type { ShownRecord, View, Visitor, World } from './resource.ts';
import { Statements } from './shapes.ts';

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
  readonly selections: Map<string, Selection>;
}

export function createService(parts: Omit<Service, 'statements' | 'selections'>): Service {
  return { ...parts, statements: new Statements(parts.database.dialect), selections: new Map() };
}

/** What every operation needs of a request. */
export interface Request {
  readonly place: ModelPlace;
  /** Identifiers of the parents in the path, in order. */
  readonly parents: readonly Value[];
  /** The record's identifier in the path, where there is one. */
  readonly id?: Value;
  readonly language: string;
  readonly defaultLanguage: string;
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
  /** What a GET of this request's format answers for a record: its bytes and its tag. */
  readonly represent: (record: ShownRecord, version: number, shown: Shown) => Representation;
}

/** What is shown: a record where it was found; a view of it; or, of the record there, what one field shows. */
export type Shown = Pick<Request, 'place' | 'parents' | 'id'> & {
  readonly view?: View;
  readonly field?: string;
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

/** What a place shows of its resource, as expressions and readers, worked out on first use. */
export function outputSelection(service: Service, place: ModelPlace, mode: LanguageMode): Selection {
  const key = `${place.path} ${mode}`;
  const known = service.selections.get(key);
  if (known) return known;
  const selection = selectOutput(place.resource, 'a', queryContext(service, mode), place.outputs);
  service.selections.set(key, selection);
  return selection;
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
export function readingOf({ world }: Service, { lenient, past = false }: Request): BodyReading {
  return { baseUrl: world.baseUrl, timeZone: world.timeZone, settings: world.settings, lenient, past };
}

/** The values of the slots that name the parents. */
export function parentValues(request: Pick<Request, 'parents'>): Record<string, Value> {
  return Object.fromEntries(request.parents.map((id, index) => [`parent_${index}`, id]));
}
