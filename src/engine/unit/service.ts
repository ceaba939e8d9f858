/** The surroundings of operations: the model and the world, wired once by `wiring/`, and one request to them. */

import type { Problem } from '../errors.ts';
import type { Environment, Languages, ShownRecord } from '../field.ts';
import type { Model, ModelField, ModelRoute } from '../model/model.ts';
import type { Clock, Database, ImageDecoder, ImageStore, Secrets, Value } from '../ports.ts';
import type { BodyReading } from '../request/body.ts';
import { fieldsRead } from '../request/shown-fields.ts';
import type { Actor } from '../rules.ts';
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
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** A fresh uuid, lower case. */
  readonly uuid: () => string;
  /** So many bytes that nobody can guess, in base64. */
  readonly randomToken: (bytes: number) => string;
  readonly statements: Statements;
  readonly whole: ReadShapes;
  /** Apart, so that however many sets of fields are asked for, those forget only each other. */
  readonly partial: ReadShapes;
  /** Tells who listens what was committed by this process. */
  readonly commits: Commits;
}

/** The statements and selections, made once for each place and set of fields. */
interface ReadShapes {
  readonly statements: Statements;
  readonly selections: Shapes<Selection>;
}

/** Sets of fields combine to more shapes than can be kept. */
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

/**
 * The same store at another address. Its output contains the address, so everything that depends on that is made anew.
 */
export function serviceAt(service: Service, baseUrl: string): Service {
  const { whole, partial, environment } = service;
  return {
    ...service,
    environment: { ...environment, baseUrl },
    whole: { ...whole, selections: new Shapes() },
    partial: { ...partial, selections: new Shapes(PARTIAL_MAX) },
  };
}

/**
 * The target resource of a request (RFC 9110 §7.1): the place that the path is of, the identifiers of the parents in it, in
 * order, and the record's own, where it has one.
 */
export interface Target {
  readonly route: ModelRoute;
  readonly parents: readonly Value[];
  readonly id?: Value;
  /** The fields that a read asks for; undefined is everything. */
  readonly fields?: readonly ModelField[] | undefined;
}

/** The asking client, and how its request is read and answered. */
export interface RequestOptions extends Languages {
  readonly actor: Actor;
  /** Unknown fields are passed over. */
  readonly lenient: boolean;
  /** A PUT keeps the optional fields that it leaves out (COMPATIBILITY=5.5). */
  readonly keepsLeftOut: boolean;
  /** The language only stands in for those that the client named: a write of texts is refused with this. */
  readonly unknownLanguage?: Problem | undefined;
  /** Records were made elsewhere and are only taken down. */
  readonly past?: boolean;
}

/** A record as output shows it, and its version. */
export interface Versioned {
  readonly record: ShownRecord;
  readonly version: number;
}

/** A record that was written, or the one that it is part of, where the place answers with that. */
export interface Written extends Versioned {
  /** Where it is: a new one has its own identifier now. */
  readonly target: Target;
  /** Values that no later answer shows. */
  readonly once?: ShownRecord;
}

/** A client's condition on the record as it is now (RFC 9110 §13.1): the refusal, where it does not hold. */
export type Condition = (now: Versioned) => Problem | undefined;

export function languageMode({ language, defaultLanguage }: Languages): LanguageMode {
  return language === defaultLanguage ? 'default' : 'other';
}

export function queryContext(service: Service, mode: LanguageMode): QueryContext {
  return { dialect: service.database.dialect, environment: service.environment, mode };
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

/** The settings with which the caller's bodies are read. @param isForm the body came as a form */
export function readingOf(
  { environment }: Service,
  { lenient, past = false }: RequestOptions,
  isForm = false,
): BodyReading {
  return {
    baseUrl: environment.baseUrl,
    timeZone: environment.timeZone,
    settings: environment.settings,
    lenient,
    past,
    isForm,
  };
}

/** The values of the slots that name the parents. */
export function parentValues({ parents }: Pick<Target, 'parents'>): Record<string, Value> {
  return Object.fromEntries(parents.map((id, index) => [`parent_${index}`, id]));
}
