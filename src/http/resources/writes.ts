/**
 * Handlers of writes. Each opens one unit, in which it writes the record and renders the response: the client gets what was
 * read in the transaction of its change.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainActionBody, plainBody, plainTexts } from '../../describe/hydra.ts';
import {
  type Action,
  act,
  type Condition,
  committed,
  inTrial,
  inUnit,
  isProblem,
  type JsonObject,
  type ModelRoute,
  type Problem,
  readAction,
  removeInBatches,
  removeTranslation,
  replaceTranslation,
  type Target,
  type TextsCondition,
  textsIn,
  type Unit,
  unassignedFields,
  type Versioned,
  type Written,
  withIdentifiers,
  writeRecord,
} from '../../engine/index.ts';
import { oneTimeImport, rejectRepeatedImport, writeOnce } from '../../store/imported-images.ts';
import { rejectAction, rejectInput, rejectWrite, scopedCondition } from '../access/scoped-writes.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { type Conditions, conditionOf, preconditionProblem } from '../responses/entity-tags.ts';
import { represent, type Shown, shownTexts } from '../responses/representations.ts';
import { applyPreference, renderRecord, renderView, sendOutcome, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { requestOptionsOf, targetOf, textRequestOptionsOf } from './address.ts';
import { respondOnce, type WriteResponse } from './idempotency.ts';
import { Form, formBody } from './multipart-form.ts';
import type { Handle } from './reads.ts';
import { isLinkedData, readJsonObject } from './request-body.ts';

export function handleCreate(route: ModelRoute, options: HttpOptions, admissionControl: AdmissionControl): Handle {
  const hasSecrets = [...route.fields.values()].some(({ field }) => field.hashed);
  return async (request, reply) => {
    const { service } = request;
    const sent = readBody(request, route, (body) =>
      plainBody({ route, ...request.address }, body, service.environment),
    );
    const forbidden = isProblem(sent) ? sent : rejectWrite(request, route, sent, 'create');
    if (forbidden || isProblem(sent)) return sendProblem(reply, forbidden as Problem);
    const requestOptions = requestOptionsOf(request, options);
    const target = targetOf(request, route);
    const imported = oneTimeImport(target, sent);
    const releaseSlotDuring = admissionControl.releaseSlotDuring(request);
    const saving = { condition: conditionOn(request, target), form: formOf(request), releaseSlotDuring };
    if (request.address.isTrial) {
      const trial = { ...saving, isTrial: true };
      const tried = await writeRecord(service, requestOptions, target, 'create', sent, trial);
      return sendOutcome(request, reply, isProblem(tried) ? tried : trialResponse(request, route, tried));
    }
    return respondOnce(request, reply, { releaseSlotDuring, hasSecrets }, async (attempt) => {
      const repeated = imported && (await rejectRepeatedImport(committed(service, requestOptions), imported));
      if (repeated) return repeated;
      return writeRecord(service, requestOptions, target, 'create', sent, saving, async (unit, write) => {
        const completed = await attempt.begin(unit);
        if (completed) return completed;
        const created = await (imported ? writeOnce(unit, imported, write) : write());
        if (isProblem(created)) return created;
        const response = creationResponse(request, route, created, sent);
        await attempt.complete(unit, response);
        return response;
      });
    });
  };
}

function creationResponse(
  request: FastifyRequest,
  route: ModelRoute,
  created: Written,
  sent: JsonObject,
): WriteResponse {
  const { target } = created;
  const rendered = renderRecord(represent(request, created, target), target.route, request.requestContext.language);
  const location = locationOf(request, route, created, sent);
  return { ...rendered, headers: { location, ...rendered.headers }, status: 201 };
}

/** The record as it would be: without the values that only a real creation assigns, and without a tag. */
function trialResponse(request: FastifyRequest, route: ModelRoute, { record, ...written }: Written): WriteResponse {
  const unassigned = Object.fromEntries(unassignedFields(route).map(({ name }) => [name, null]));
  const tried = { ...written, record: { ...record, ...unassigned } };
  const { body } = represent(request, tried, { ...written.target, id: null });
  return { ...renderView({ body, etag: '' }, request.requestContext.language), status: 200 };
}

export function handleUpdate(
  route: ModelRoute,
  mode: 'replace' | 'patch',
  options: HttpOptions,
  admissionControl: AdmissionControl,
): Handle {
  return async (request, reply) => {
    const { service, requestContext } = request;
    const sent = readBody(request, route, (body) =>
      plainBody({ route, ...request.address }, body, service.environment),
    );
    const forbidden = isProblem(sent) ? sent : rejectInput(request, route, sent, mode);
    if (forbidden || isProblem(sent)) return sendProblem(reply, forbidden as Problem);
    const requestOptions = requestOptionsOf(request, options);
    const target = targetOf(request, route);
    const releaseSlotDuring = admissionControl.releaseSlotDuring(request);
    const condition = scopedCondition(request, route, sent, conditionOn(request, target));
    const saving = { condition, form: formOf(request), releaseSlotDuring };
    const outcome = await writeRecord(service, requestOptions, target, mode, sent, saving, async (_unit, write) => {
      const written = await write();
      if (isProblem(written)) return written;
      return renderRecord(represent(request, written, written.target), route, requestContext.language);
    });
    return sendOutcome(request, reply, outcome);
  };
}

export function handleAction(
  route: ModelRoute,
  action: Action,
  options: HttpOptions,
  admissionControl: AdmissionControl,
): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readBody(request, route, (body) => plainActionBody(service.model, action, body));
    const forbidden = isProblem(sent) ? sent : rejectAction(request, route, action, sent);
    if (forbidden || isProblem(sent)) return sendProblem(reply, forbidden as Problem);
    const requestOptions = requestOptionsOf(request, options);
    const target = targetOf(request, route);
    const shown = { ...target, field: action.shows };
    const condition = conditionOn(request, shown);
    const body = readAction(service, requestOptions, target, action, sent);
    const run = async (unit: Unit): Promise<WriteResponse | Problem> => {
      const written = await act(unit, target, action, body, condition);
      return isProblem(written) ? written : actionResponse(request, route, written, shown);
    };
    if (request.address.isTrial) {
      const tried = await inTrial(service, requestOptions, run);
      // No change was saved, so no GET will respond with this tag.
      return sendOutcome(request, reply, isProblem(tried) ? tried : { ...tried, etag: '' });
    }
    const releaseSlotDuring = admissionControl.releaseSlotDuring(request);
    return respondOnce(request, reply, { releaseSlotDuring }, (attempt) =>
      inUnit(service, requestOptions, async (unit) => {
        const completed = await attempt.begin(unit);
        if (completed) return completed;
        const response = await run(unit);
        if (!isProblem(response)) await attempt.complete(unit, response);
        return response;
      }),
    );
  };
}

function actionResponse(request: FastifyRequest, route: ModelRoute, written: Written, shown: Shown): WriteResponse {
  const { language } = request.requestContext;
  const representation = represent(request, written, shown);
  const rendered =
    shown.field === undefined ? renderRecord(representation, route, language) : renderView(representation, language);
  return { ...rendered, status: 200 };
}

export function handleRemove(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const condition = conditionOn(request, target);
    const rejection = await removeInBatches(request.service, requestOptionsOf(request, options), target, condition);
    return respondToRemoval(request, reply, rejection);
  };
}

export function handleReplaceTranslation(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service, address } = request;
    const sent = readBody(request, route, plainTexts);
    const forbidden = isProblem(sent) ? sent : rejectInput(request, route, sent, 'patch');
    if (forbidden || isProblem(sent)) return sendProblem(reply, forbidden as Problem);
    const target = targetOf(request, route);
    const language = address.language!;
    const condition = textsConditionOn(request, target);
    const outcome = await inUnit(service, textRequestOptionsOf(request, options), async (unit) => {
      const texts = await replaceTranslation(unit, target, sent, condition);
      if (isProblem(texts)) return texts;
      return renderView(represent(request, texts, { ...target, texts: { language } }), language);
    });
    return sendOutcome(request, reply, outcome);
  };
}

export function handleRemoveTranslation(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const condition = textsConditionOn(request, target);
    const rejection = await inUnit(request.service, textRequestOptionsOf(request, options), (unit) =>
      removeTranslation(unit, target, condition),
    );
    return respondToRemoval(request, reply, rejection);
  };
}

function respondToRemoval(request: FastifyRequest, reply: FastifyReply, rejection: Problem | undefined): FastifyReply {
  if (rejection) return sendProblem(reply, rejection);
  applyPreference(request, reply);
  return reply.code(204).send();
}

function conditionsOf({ headers }: FastifyRequest): Conditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
}

/** The request's condition on the record. It compares the tag that a GET with the same `Accept` would return now. */
export function conditionOn(request: FastifyRequest, shown: Shown): Condition | undefined {
  return conditionOf(conditionsOf(request), (now) => represent(request, now, shown).etag);
}

/** Like `conditionOn` for texts: If-Match accepts the tag of the texts in the path's language or in all languages. */
function textsConditionOn(request: FastifyRequest, target: Target): TextsCondition {
  const { ifMatch, ifNoneMatch } = conditionsOf(request);
  const language = request.address.language!;
  return (now) => {
    const texts = textsIn(now, target, { language });
    const one = isProblem(texts) ? undefined : represent(request, texts, { ...target, texts: { language } }).etag;
    const all = shownTexts(request, target, now).etag;
    // `If-Match: *` requires that these texts exist, `If-None-Match: *` that they do not.
    if (isProblem(texts) && ifMatch?.trim() === '*') return texts;
    const stale = preconditionProblem({ ifMatch }, one ?? all, now.version);
    if (stale && preconditionProblem({ ifMatch }, all, now.version)) return stale;
    return one === undefined ? undefined : preconditionProblem({ ifNoneMatch }, one, now.version);
  };
}

function formOf({ body }: FastifyRequest): Form | undefined {
  return body instanceof Form ? body : undefined;
}

/** Converts the body, which may be a form, JSON or JSON-LD, to plain JSON. */
export function readBody(
  request: FastifyRequest,
  route: ModelRoute,
  plain: (body: JsonObject) => JsonObject,
): JsonObject | Problem {
  if (request.body instanceof Form) return formBody(route, request.body);
  const sent = readJsonObject(request.body as Buffer | undefined);
  if (isProblem(sent) || !isLinkedData(request.headers['content-type'], request.responseType)) return sent;
  return plain(sent);
}

/** The URL of the new record: the path itself for a singleton route, otherwise the path and the record's parameter. */
function locationOf(
  { service, url }: FastifyRequest,
  { parameter, item, fields, declaration }: ModelRoute,
  { record }: Versioned,
  sent: JsonObject,
): string {
  const { baseUrl } = service.environment;
  const path = `${baseUrl}${url.split('?')[0]}`;
  if (parameter === undefined) return path;
  // If the response shows the owner, the new record's parameter is in the request body.
  const own = (declaration.respondsWithOwner ? withIdentifiers(fields, sent, baseUrl) : record)[item!.name];
  return `${path}/${own}`;
}
