/** Checks of the body of a write against the rights of its key (access.md §§1 and 2). */
import type { FastifyRequest } from 'fastify';
import { eventsOf, followingFields } from '../../access/followed-events.ts';
import { namedScope } from '../../access/scopes.ts';
import {
  type Action,
  type BulkForm,
  type Condition,
  guardedRecord,
  isJsonObject,
  isProblem,
  type JsonObject,
  type ModelRoute,
  type Problem,
  type Quote,
  type ShownRecord,
  type Versioned,
  type WriteMode,
} from '../../engine/index.ts';
import { missingIn } from './hidden-queries.ts';
import { insufficientScope } from './insufficient-scope.ts';
import { readingCheck } from './reading.ts';
import { missingInBody, missingInInput, missingWith } from './scoped-bodies.ts';

/** Checks the scopes and the fields of a body that creates a record, and what a trial of it shows. */
export function rejectWrite(
  request: FastifyRequest,
  route: ModelRoute,
  sent: JsonObject,
  mode: WriteMode,
): Problem | undefined {
  return (
    rejectInput(request, route, sent, mode) ?? rejectUnscoped(request, route, sent) ?? rejectTrial(request, route, sent)
  );
}

/** Checks the scopes and the body of an action, and what a trial of it shows. */
export function rejectAction(
  request: FastifyRequest,
  route: ModelRoute,
  action: Action,
  sent: JsonObject,
): Problem | undefined {
  return (
    rejectUnscoped(request, route, sent, { action: action.name }) ??
    rejectActionInput(request, route, action, sent) ??
    rejectTrial(request, { declaration: action }, sent)
  );
}

/** Rejects a trial that shows records which the key cannot read. Nothing is saved, so nothing is copied from them. */
function rejectTrial(
  { requestContext: { rights }, address }: FastifyRequest,
  { declaration: { trial, trialWith = {} } }: { readonly declaration: Pick<Action, 'trial' | 'trialWith'> },
  sent: JsonObject,
): Problem | undefined {
  if (!rights.hidden || !address.isTrial || !trial) return undefined;
  const missing = [...rights.hidden.missingToUse(trial), ...missingWith(trialWith, sent, rights.hidden)];
  return missing.length === 0 ? undefined : insufficientScope(missing, 'This dry run');
}

function rejectActionInput(
  { requestContext: { rights }, service }: FastifyRequest,
  { resource }: ModelRoute,
  action: Action,
  sent: JsonObject,
): Problem | undefined {
  if (!rights.hidden) return undefined;
  const missing = missingInInput(service, resource, action.input, sent, rights.hidden);
  if (missing.length > 0) return insufficientScope(missing, 'This body');
  const uncalculable = rights.hidden.missingToUse(action.calculatedFrom ?? {});
  return uncalculable.length === 0 ? undefined : insufficientScope(uncalculable, 'This change');
}

interface Write {
  /** Output of the record before an update. */
  readonly stored?: ShownRecord;
  /** Name of the action whose body it is. */
  readonly action?: string;
}

/** Checks whether a body is a write that needs a scope of its own, and whether the key has the scopes that it needs. */
function rejectUnscoped(
  { requestContext: { rights, key }, routeOptions, service }: FastifyRequest,
  { resource }: ModelRoute,
  sent: JsonObject,
  { stored, action }: Write = {},
): Problem | undefined {
  const { namedWrite } = resource.declaration;
  if (!namedWrite || key.kind !== 'scoped') return undefined;
  const [write] = routeOptions.config.scopes!;
  const named = namedScope(service.model, resource)!;
  const seen = guardedRecord(stored, resource, { rejectReading: readingCheck(rights) });
  const needed = { all: [named], some: [named, write!], none: [write!] }[namedWrite.covers(sent, seen, action)];
  const missing = rights.missing(needed);
  return missing.length === 0 ? undefined : insufficientScope(missing);
}

/** Checks the scopes of an update, and fields that some records hide, before its condition, when the record is known. */
export function scopedCondition(
  request: FastifyRequest,
  route: ModelRoute,
  sent: JsonObject,
  condition: Condition | undefined,
): Condition | undefined {
  const { namedWrite, follows } = route.resource.declaration;
  if ((!namedWrite && !follows) || request.requestContext.key.kind !== 'scoped') return condition;
  return (now) =>
    rejectUnscoped(request, route, sent, { stored: now.record }) ??
    rejectFollowing(request, route, sent, now.record) ??
    condition?.(now);
}

/** Returns the checks of an update whose fields are known only in its unit. */
export function rejectUpdate(request: FastifyRequest, route: ModelRoute) {
  return (fields: JsonObject, now: Versioned): Problem | undefined =>
    rejectInput(request, route, fields, 'patch') ??
    rejectUnscoped(request, route, fields, { stored: now.record }) ??
    rejectFollowing(request, route, fields, now.record);
}

/** Rejects fields that the client does not see in this record, because of the events that it follows. */
function rejectFollowing(
  { requestContext: { rights } }: FastifyRequest,
  { resource }: ModelRoute,
  sent: JsonObject,
  stored: ShownRecord,
): Problem | undefined {
  if (!rights.hidden || !followingFields(resource).some((name) => Object.hasOwn(sent, name))) return undefined;
  const missing = rights.hidden.missingToFollow(eventsOf(resource, stored));
  return missing.length === 0 ? undefined : insufficientScope(missing, 'This body');
}

/** Rejects a quote whose parameters show records that the key cannot read. */
export function rejectQuote(
  { requestContext: { rights }, address }: FastifyRequest,
  { calculatedWith }: Pick<Quote, 'calculatedWith'>,
): Problem | undefined {
  if (!rights.hidden) return undefined;
  const missing = missingWith(calculatedWith, address.quote!, rights.hidden);
  return missing.length === 0 ? undefined : insufficientScope(missing, 'This quote');
}

/** Rejects fields that the key cannot see, in the body or required by it, and those that need a further scope. */
export function rejectInput(
  { requestContext: { rights }, service }: FastifyRequest,
  { resource, inserts, updates }: ModelRoute,
  sent: JsonObject,
  mode: WriteMode,
): Problem | undefined {
  const { hidden } = rights;
  const further = Object.keys(sent).flatMap((name) => resource.fields.get(name)?.field.writtenWith ?? []);
  const lacking = rights.missing(further);
  if (lacking.length > 0) return insufficientScope(lacking, 'This body');
  if (!hidden) return undefined;
  const written = mode === 'create' ? inserts : updates;
  const required = mode === 'patch' ? [] : [...written].filter(({ field }) => field.required);
  const missing = [...missingIn(required, hidden), ...missingInBody(service, resource, sent, hidden)];
  return missing.length === 0 ? undefined : insufficientScope(missing, 'This body');
}

/** Checks a line of a bulk. Its form is checked later. */
export function rejectLine(request: FastifyRequest, form: BulkForm, sent: JsonObject): Problem | undefined {
  if (isProblem(sent)) return undefined;
  const { route, action } = form;
  const body = bodyOf(form, sent);
  if (action) {
    const instead = Object.entries(body).filter(([name]) => action.bulk?.instead.includes(name));
    return (
      rejectInput(request, route, Object.fromEntries(instead), 'patch') ??
      rejectActionInput(request, route, action, body)
    );
  }
  // A line may create a record or update it, so required fields are not checked.
  return rejectInput(request, route, body, 'patch') ?? rejectUnscoped(request, route, body);
}

/** Everything that a line writes. Only a line with `op` has a separate body and a separate key. */
function bodyOf({ by }: BulkForm, sent: JsonObject): JsonObject {
  if (!Object.hasOwn(sent, 'op')) return sent;
  const { key, body } = sent;
  const ofKey = isJsonObject(key) ? key : key === undefined ? {} : { [by.name]: key };
  return { ...ofKey, ...(isJsonObject(body) ? body : {}) };
}
