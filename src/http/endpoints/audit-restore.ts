/** Restores records from the audit (access.md §4): to an earlier version, or after their deletion. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AUDIT_PATH, RECORD_RESTORE, requiredScopes } from '../../access/scopes.ts';
import {
  API_PATH,
  type AuditEntry,
  chainAudit,
  isProblem,
  type JsonObject,
  type ModelResource,
  type ModelRoute,
  messages,
  Problem,
  problem,
  type Restored,
  readAuditPage,
  recordAddress,
  rejectParameters,
  rejectUnknownField,
  restorableRoutes,
  restoreDeleted,
  restoreVersion,
  type Target,
  targetOfDeleted,
  type Unit,
  Violations,
  validationFailed,
  type Written,
  withoutSynonyms,
} from '../../engine/index.ts';
import { insufficientScope } from '../access/insufficient-scope.ts';
import { rejectInput, rejectUpdate } from '../access/scoped-writes.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { queryOf, readRecordAddress, requestOptionsOf, targetOf, urlOf } from '../resources/address.ts';
import { respondOnce, type WriteResponse } from '../resources/idempotency.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { conditionOn } from '../resources/writes.ts';
import { DATA_TYPES } from '../responses/accept.ts';
import { represent } from '../responses/representations.ts';
import { renderRecord, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { bodyRoute, readCreate, readId } from '../users/records.ts';
import { findVisibleEntry, hasEntries } from './audit.ts';

export function registerRestoreRoutes(app: FastifyInstance, options: HttpOptions, control: AdmissionControl): void {
  for (const resource of options.service.model.resources.values())
    for (const route of restorableRoutes(resource))
      for (const { path } of [route, ...route.aliases])
        app.post(
          urlOf(`${path}${RECORD_RESTORE}`),
          bodyRoute(options, { resource, offers: DATA_TYPES, readAddress: addressReader(route) }),
          handleVersion(route, options, control),
        );
  app.post(
    `${API_PATH}${AUDIT_PATH}/:id${RECORD_RESTORE}`,
    bodyRoute(options, {
      needsNoBody: true,
      readAddress: (request: FastifyRequest) => readId(request) ?? readCreate(request),
    }),
    handleDeleted(options, control),
  );
}

function addressReader(route: ModelRoute) {
  return (request: FastifyRequest): Problem | undefined =>
    readRecordAddress(request, route) ?? rejectParameters(queryOf(request), request.requestContext.lenient);
}

function handleVersion(route: ModelRoute, options: HttpOptions, control: AdmissionControl): Handle {
  return async (request, reply) => {
    const { service, requestContext } = request;
    const sent = readJsonObject(request.body as Buffer | undefined);
    const version = isProblem(sent) ? sent : readVersion(sent, requestContext.lenient);
    if (isProblem(version)) return sendProblem(reply, version);
    const target = targetOf(request, route);
    const restoring = {
      ...{ version, condition: conditionOn(request, target), languages: requestContext.languages },
      check: rejectUpdate(request, route),
    };
    const releaseSlotDuring = control.releaseSlotDuring(request);
    return respondOnce(request, reply, { releaseSlotDuring }, (attempt) =>
      restoreVersion(service, requestOptionsOf(request, options), target, restoring, async (unit, restored) => {
        const completed = await attempt.begin(unit);
        if (completed) return completed;
        const written = await restored();
        if (isProblem(written)) return written;
        const response = { ...rendered(request, written), status: 200 };
        await attempt.complete(unit, response);
        return response;
      }),
    );
  };
}

function rendered(request: FastifyRequest, written: Written) {
  const { target } = written;
  return renderRecord(represent(request, written, target), target.route, request.requestContext.language);
}

function readVersion({ version, ...others }: JsonObject, lenient: boolean): number | Problem {
  const violations = new Violations();
  for (const name of lenient ? [] : Object.keys(others))
    rejectUnknownField('', name, withoutSynonyms(['version']), violations);
  if (version === undefined) violations.add('version', 'required', messages.blank);
  else if (!Number.isSafeInteger(version)) violations.add('version', 'type', messages.type('integer'));
  else if ((version as number) < 1) violations.add('version', 'range', 'This value should be 1 or more.');
  return violations.list.length > 0 ? validationFailed(violations.list) : (version as number);
}

function handleDeleted(options: HttpOptions, control: AdmissionControl): Handle {
  return async (request, reply) => {
    const { service, requestContext } = request;
    const sent = readJsonObject(request.body as Buffer);
    const rejected = isProblem(sent) ? sent : rejectFields(sent, requestContext.lenient);
    if (rejected) return sendProblem(reply, rejected);
    const releaseSlotDuring = control.releaseSlotDuring(request);
    // A retry gets the first response even if the entry has expired since.
    return respondOnce(request, reply, { releaseSlotDuring }, async (attempt) => {
      await chainAudit(service);
      const entry = await findVisibleEntry(request);
      if (isProblem(entry)) return entry;
      const target = creatingTarget(request, entry);
      if (isProblem(target)) return target;
      request.writtenResource = target.route.resource;
      const restoring = {
        ...{ entry, languages: requestContext.languages },
        readAgain: (unit: Unit) => findVisibleEntry(request, unit),
        canRead: (resource: ModelResource) => requestContext.rights.hidden?.canRead(resource) ?? true,
        check: (fields: JsonObject) => rejectInput(request, target.route, fields, 'create'),
      };
      const requestOptions = requestOptionsOf(request, options);
      const response = await restoreDeleted(service, requestOptions, target, restoring, async (unit, restored) => {
        const completed = await attempt.begin(unit);
        if (completed) return completed;
        const written = await restored();
        if (isProblem(written)) return written;
        const created = creationResponse(request, written);
        await attempt.complete(unit, created);
        return created;
      });
      return isProblem(response) ? withEarlierRestore(request, entry, response) : response;
    });
  };
}

function rejectFields(sent: JsonObject, lenient: boolean): Problem | undefined {
  const violations = new Violations();
  for (const name of lenient ? [] : Object.keys(sent)) rejectUnknownField('', name, [], violations);
  return violations.list.length > 0 ? validationFailed(violations.list) : undefined;
}

/** The collection that creates the record again, if the key may write there. */
function creatingTarget(
  { service: { model }, requestContext: { rights } }: FastifyRequest,
  entry: AuditEntry,
): Target | Problem {
  const target = targetOfDeleted(model, entry);
  const { id, action } = entry.head;
  if (!target) {
    const reason =
      action === 'deleted'
        ? 'Records of this resource cannot be restored.'
        : 'Send the id of an entry with the action “deleted”. To restore an earlier version, use POST {path}/restore.';
    return problem('conflict', `The audit entry ${id} cannot be restored. ${reason}`);
  }
  const missing = rights.missing(requiredScopes(model, 'POST', target.route.collectionPath) ?? []);
  return missing.length > 0 ? insufficientScope(missing) : target;
}

/** The last restores among which to look for an earlier one of the same record. */
const RESTORES_MAX = 1000;

/** Names the record that an earlier restore of the same entry has created, if its values are why this restore is rejected. */
async function withEarlierRestore(
  request: FastifyRequest,
  { head, changes }: AuditEntry,
  rejection: Problem,
): Promise<Problem> {
  const { violations = [] } = rejection;
  const taken = violations
    .filter(({ code }) => code === 'not_unique')
    .flatMap(({ propertyPath: at }) => Object.keys(changes).filter((key) => key === at || key.startsWith(`${at}.`)));
  if (taken.length === 0) return rejection;
  const { entries } = await readAuditPage(
    request.service,
    { equal: { action: 'restored', resource: head.resource! }, from: Date.parse(head.date) / 1000 },
    { limit: RESTORES_MAX, offset: 0, direction: 'desc' },
  );
  const earlier = entries.find(
    (each) => isNew(each) && taken.some((key) => hasSameText(changes[key], each.changes[key])),
  );
  if (!earlier || (await hasEntries(request, { path: earlier.head.path!, action: 'deleted' }))) return rejection;
  const { record_id: id, path } = earlier.head;
  const explained = violations.map((each) =>
    each.code === 'not_unique'
      ? { ...each, message: `${each.message} The record has already been restored as ${path}.` }
      : each,
  );
  const { detail } = validationFailed(explained);
  return new Problem('validation-failed', detail, { violations: explained, more: { restored_as: { id, path } } });
}

type Changed = { readonly before?: unknown; readonly after?: unknown } | undefined;

/** Whether the entry is about a record that did not exist before. */
function isNew({ changes }: AuditEntry): boolean {
  return Object.values(changes).every((change) => (change as Changed)?.before === null);
}

function hasSameText(deleted: unknown, restored: unknown): boolean {
  const text = (deleted as Changed)?.before;
  return typeof text === 'string' && (restored as Changed)?.after === text;
}

/** The record, with the names of what it no longer has. */
function creationResponse(request: FastifyRequest, restored: Restored): WriteResponse {
  const { target, notRestored } = restored;
  const { body, headers, etag } = rendered(request, restored);
  const location = `${request.service.environment.baseUrl}${recordAddress(target.route, target.parents, target.id ?? undefined)}`;
  const more = `"not_restored":${JSON.stringify(notRestored)}}`;
  return { body: `${body.slice(0, -1)},${more}`, etag, headers: { location, ...headers }, status: 201 };
}
