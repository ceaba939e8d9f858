/** Checks of the body of a write against the rights of its key (access.md §§1 and 2). */
import type { FastifyRequest } from 'fastify';
import type { HiddenData } from '../../access/hidden-data.ts';
import { namedScope } from '../../access/scopes.ts';
import {
  type BulkForm,
  type Condition,
  isJsonObject,
  isProblem,
  type JsonObject,
  type ModelField,
  type ModelResource,
  type ModelRoute,
  type Problem,
  type ShownRecord,
  type WriteMode,
} from '../../engine/index.ts';
import { missingIn } from './hidden-queries.ts';
import { insufficientScope } from './insufficient-scope.ts';

/** Checks the scopes and the fields of a body that creates a record. */
export function rejectWrite(
  request: FastifyRequest,
  route: ModelRoute,
  sent: JsonObject,
  mode: WriteMode,
): Problem | undefined {
  return rejectInput(request, route, sent, mode) ?? rejectUnscoped(request, route, sent);
}

interface Write {
  /** Output of the record before an update. */
  readonly stored?: ShownRecord;
  /** Name of the action whose body it is. */
  readonly action?: string;
}

/** Checks whether a body is a write that needs a scope of its own, and whether the key has the scopes that it needs. */
export function rejectUnscoped(
  { requestContext: { rights, key }, routeOptions, service }: FastifyRequest,
  { resource }: ModelRoute,
  sent: JsonObject,
  { stored, action }: Write = {},
): Problem | undefined {
  const { namedWrite } = resource.declaration;
  if (!namedWrite || key.kind !== 'scoped') return undefined;
  const [write] = routeOptions.config.scopes!;
  const named = namedScope(service.model, resource)!;
  const needed = { all: [named], some: [named, write!], none: [write!] }[namedWrite.covers(sent, stored, action)];
  const missing = rights.missing(needed);
  return missing.length === 0 ? undefined : insufficientScope(missing);
}

/** Checks the scopes of an update before its condition, when the record is known. */
export function scopedCondition(
  request: FastifyRequest,
  route: ModelRoute,
  sent: JsonObject,
  condition: Condition | undefined,
): Condition | undefined {
  if (!route.resource.declaration.namedWrite || request.requestContext.key.kind !== 'scoped') return condition;
  return (now) => rejectUnscoped(request, route, sent, { stored: now.record }) ?? condition?.(now);
}

/** Rejects fields that the key cannot see, in the body or required by it. */
export function rejectInput(
  { requestContext: { rights } }: FastifyRequest,
  { resource, inserts, updates }: ModelRoute,
  sent: JsonObject,
  mode: WriteMode,
): Problem | undefined {
  const { hidden } = rights;
  if (!hidden) return undefined;
  const written = mode === 'create' ? inserts : updates;
  const required = mode === 'patch' ? [] : [...written].filter(({ field }) => field.required);
  const missing = [...missingIn(required, hidden), ...missingInBody(resource, sent, hidden)];
  return missing.length === 0 ? undefined : insufficientScope(missing, 'This body');
}

function missingInBody({ fields }: ModelResource, body: JsonObject, hidden: HiddenData): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = fields.get(name);
    return field ? [...missingIn([field], hidden), ...missingInParts(field, value, hidden)] : [];
  });
}

function missingInParts({ storage, target }: ModelField, value: unknown, hidden: HiddenData): string[] {
  if (storage.in !== 'parts' || !Array.isArray(value)) return [];
  return value.flatMap((part) => (isJsonObject(part) ? missingInBody(target!, part, hidden) : []));
}

/** Checks a line of a bulk. Its form is checked later. */
export function rejectLine(request: FastifyRequest, form: BulkForm, sent: JsonObject): Problem | undefined {
  if (form.action || isProblem(sent)) return undefined;
  const body = isJsonObject(sent.body) ? sent.body : sent;
  // A line may create a record or update it, so required fields are not checked.
  return rejectInput(request, form.route, body, 'patch') ?? rejectUnscoped(request, form.route, body);
}
