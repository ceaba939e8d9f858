/** The context of operations: model and environment, wired once by `wiring/`, and the options of one request. */

import type { Problem } from '../errors.ts';
import type { Environment, Languages, ShownRecord } from '../field.ts';
import type { Model, ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import type {
  AttachmentReader,
  Clock,
  Database,
  HashedPart,
  ImageDecoder,
  ImageStore,
  Secrets,
  Value,
} from '../ports.ts';
import type { BodyReading } from '../request/body.ts';
import { fieldsRead } from '../request/shown-fields.ts';
import type { Actor } from '../rules.ts';
import type { Run } from '../sql/run.ts';
import { type Selection, selectOutput } from '../sql/selection.ts';
import { Shapes, Statements } from '../sql/shapes.ts';
import type { LanguageMode, QueryContext } from '../sql/source.ts';
import { Commits } from './commits.ts';

export interface Service {
  readonly model: Model;
  readonly environment: Environment;
  readonly database: Database;
  readonly images: ImageStore;
  readonly imageDecoder: ImageDecoder;
  readonly attachments: AttachmentReader;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** A fresh uuid, lower case. */
  readonly uuid: () => string;
  /** Cryptographically random bytes in base64. */
  readonly randomToken: (bytes: number) => string;
  /** SHA-256 of the parts, in hexadecimal digits. */
  readonly sha256: (parts: readonly HashedPart[]) => string;
  readonly statements: Statements;
  readonly whole: ReadShapes;
  /** Separate, so that combinations of fields evict only each other. */
  readonly partial: ReadShapes;
  /** Publishes the commits of this process. */
  readonly commits: Commits;
}

/** Statements and selections, built once per route and set of fields. */
interface ReadShapes {
  readonly statements: Statements;
  readonly selections: Shapes<Selection>;
}

/** More combinations of fields exist than can be cached. */
const PARTIAL_MAX = 200;

export function createService(parts: Omit<Service, 'statements' | 'whole' | 'partial' | 'commits'>): Service {
  const { dialect } = parts.database;
  const statements = new Statements(dialect);
  return {
    ...parts,
    statements,
    whole: { statements, selections: new Shapes() },
    partial: { statements: new Statements(dialect, PARTIAL_MAX), selections: new Shapes(PARTIAL_MAX) },
    commits: new Commits(),
  };
}

/** The same store at another base URL. Everything whose output contains the URL is built again. */
export function serviceAt(service: Service, baseUrl: string): Service {
  const { whole, partial, environment } = service;
  return {
    ...service,
    environment: { ...environment, baseUrl },
    whole: { ...whole, selections: new Shapes() },
    partial: { ...partial, selections: new Shapes(PARTIAL_MAX) },
  };
}

/** The same store in a snapshot. Only reads are possible. */
export function serviceIn(service: Service, run: Run): Service {
  const database: Pick<Database, 'dialect' | 'query' | 'search' | 'snapshot'> = {
    dialect: service.database.dialect,
    query: run,
    search: run,
    snapshot: (work) => work(run),
  };
  return { ...service, database: database as Database };
}

/**
 * The target resource of a request (RFC 9110 §7.1): the route of the path, the identifiers of its parents in order, and
 * the record's own identifier, if any.
 */
export interface Target {
  readonly route: ModelRoute;
  readonly parents: readonly Value[];
  readonly id?: Value;
  /** The fields to read; undefined means all. */
  readonly fields?: readonly ModelField[] | undefined;
}

/** The authenticated client, and how its request is read and its response is built. */
export interface RequestOptions extends Languages {
  readonly actor: Actor;
  /** Unknown fields are ignored. */
  readonly lenient: boolean;
  /** A PUT preserves omitted optional fields (COMPATIBILITY=5.5). */
  readonly preservesOmitted: boolean;
  /** The client cannot see these fields. A PUT preserves them, and texts by language do not show them. */
  readonly preserves?: ((field: ModelField) => boolean) | undefined;
  /** Rejects that a rule reads this field of the stored record that the client writes. */
  readonly rejectReading?: ((field: ModelField) => Problem | undefined) | undefined;
  /** Rejects the creation of a record of this resource by a link that names it. */
  readonly rejectNaming?: ((resource: ModelResource) => Problem | undefined) | undefined;
  /** Set if the language is only a fallback for those that the client named: the problem for writes of texts. */
  readonly unknownLanguage?: Problem | undefined;
  /** Records are imported from elsewhere. */
  readonly past?: boolean;
  /** Set in a quote: its query parameters. */
  readonly quote?: Readonly<Record<string, boolean>>;
}

/** The output of a record, and its version. */
export interface Versioned {
  readonly record: ShownRecord;
  readonly version: number;
}

/** A written record, or its owner if the route responds with that. */
export interface Written extends Versioned {
  /** Its target; includes the identifier of a new record. */
  readonly target: Target;
  /** Values that no later response shows. */
  readonly once?: ShownRecord;
}

/** A client's precondition on the current record (RFC 9110 §13.1). @returns the problem if it fails */
export type Condition = (now: Versioned) => Problem | undefined;

export function languageMode({ language, defaultLanguage }: Languages): LanguageMode {
  return language === defaultLanguage ? 'default' : 'other';
}

export function queryContext(service: Service, mode: LanguageMode): QueryContext {
  return { dialect: service.database.dialect, environment: service.environment, mode };
}

/** How records of a route are read, built on first use. `name` identifies route, language and fields. */
export interface Read {
  readonly name: string;
  readonly selection: Selection;
  readonly statements: Statements;
}

/** @param fields the fields to show; undefined means all */
export function readOf(
  service: Service,
  route: ModelRoute,
  mode: LanguageMode,
  fields: readonly ModelField[] | undefined,
): Read {
  const { statements, selections } = fields ? service.partial : service.whole;
  const name = `${route.path} ${mode} ${fields ? fields.map((field) => field.name).join() : ''}`;
  const selection = selections.get(name, () => {
    const outputs = fields ? fieldsRead(route, fields) : route.outputs;
    return selectOutput(route.resource, 'a', queryContext(service, mode), outputs);
  });
  return { name, selection, statements };
}

/** Options for reading the client's bodies. @param isForm the body is a form */
export function readingOf(
  { environment, clock }: Service,
  { lenient, past = false }: Pick<RequestOptions, 'lenient' | 'past'>,
  isForm = false,
): BodyReading {
  return {
    baseUrl: environment.baseUrl,
    timeZone: environment.timeZone,
    settings: environment.settings,
    lenient,
    now: clock.now(),
    past,
    isForm,
  };
}

/** Bind values of the path's parents. */
export function parentValues({ parents }: Pick<Target, 'parents'>): Record<string, Value> {
  return Object.fromEntries(parents.map((id, index) => [`parent_${index}`, id]));
}
