/**
 * Answers of writes. Each opens one unit, in which the record is written and its answer is made: what a client is told was
 * read in the transaction of its change.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainActionBody, plainBody, plainTexts } from '../../describe/hydra.ts';
import {
  type Action,
  act,
  type Condition,
  inTrial,
  inUnit,
  isProblem,
  type JsonObject,
  type ModelRoute,
  needsNoBody,
  type Problem,
  readAction,
  removeInBatches,
  removeTranslation,
  replaceTranslation,
  save,
  type Target,
  type TextsCondition,
  textsIn,
  type Versioned,
  type Written,
  withIdentifiers,
} from '../../engine/index.ts';
import { onlyOnce } from '../../store/imported-images.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { type Conditions, conditionOf, refusalOf } from '../responses/entity-tags.ts';
import { represent, type Shown, shownTexts } from '../responses/representations.ts';
import { applyPreference, renderRecord, renderView, sendOutcome, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { requestOptionsOf, targetOf, textRequestOptionsOf } from './address.ts';
import { type Answer, answerOnce } from './idempotency.ts';
import { Form, formBody } from './multipart-form.ts';
import type { Handle } from './reads.ts';
import { isLinkedData, readJsonObject } from './request-body.ts';

export function handleCreate(route: ModelRoute, options: HttpOptions, admissionControl: AdmissionControl): Handle {
  const hasSecrets = [...route.fields.values()].some(({ field }) => field.hashed);
  return async (request, reply) => {
    const { service, requestContext } = request;
    const sent = readBody(request, route, (body) =>
      plainBody({ route, ...request.address }, body, service.environment),
    );
    if (isProblem(sent)) return sendProblem(reply, sent);
    const requestOptions = requestOptionsOf(request, options);
    const target = targetOf(request, route);
    const releaseSlotDuring = admissionControl.releaseSlotDuring(request);
    const saving = { condition: conditionOn(request, target), form: formOf(request), releaseSlotDuring };
    const answer = (made: Written): Answer => {
      const rendered = renderRecord(represent(request, made, made.target), made.target.route, requestContext.language);
      const location = locationOf(request, route, made, sent);
      return { ...rendered, headers: { location, ...rendered.headers }, status: 201 };
    };
    return answerOnce(
      request,
      reply,
      (once) =>
        onlyOnce(service, requestOptions, target, sent, (within) =>
          save(service, requestOptions, target, 'create', sent, saving, (unit, saved) =>
            once(unit, () => thenAnswer(within(unit, saved), answer)),
          ),
        ),
      releaseSlotDuring,
      hasSecrets,
    );
  };
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
    if (isProblem(sent)) return sendProblem(reply, sent);
    const target = targetOf(request, route);
    const releaseSlotDuring = admissionControl.releaseSlotDuring(request);
    const saving = { condition: conditionOn(request, target), form: formOf(request), releaseSlotDuring };
    const answer = (written: Written): Rendered =>
      renderRecord(represent(request, written, written.target), route, requestContext.language);
    const outcome = await save(service, requestOptionsOf(request, options), target, mode, sent, saving, (_, saved) =>
      thenAnswer(saved(), answer),
    );
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
    const { service, requestContext } = request;
    if (needsNoBody(action) && !(request.body as Buffer | undefined)?.length) request.body = NOTHING;
    const sent = readBody(request, route, (body) => plainActionBody(service.model, action, body));
    if (isProblem(sent)) return sendProblem(reply, sent);
    const requestOptions = requestOptionsOf(request, options);
    const target = targetOf(request, route);
    const shown = { ...target, field: action.shows };
    const condition = conditionOn(request, shown);
    const answer = (written: Written): Answer => {
      const representation = represent(request, written, shown);
      const { language } = requestContext;
      return {
        ...(action.shows === undefined
          ? renderRecord(representation, route, language)
          : renderView(representation, language)),
        status: 200,
      };
    };
    const body = readAction(service, requestOptions, target, action, sent);
    if (request.address.isTrial) {
      const tried = await inTrial(service, requestOptions, (unit) =>
        thenAnswer(act(unit, target, action, body, condition), answer),
      );
      // No GET will ever answer with this tag.
      return sendOutcome(request, reply, isProblem(tried) ? tried : { ...tried, etag: '' });
    }
    return answerOnce(
      request,
      reply,
      (once) =>
        inUnit(service, requestOptions, (unit) =>
          once(unit, () => thenAnswer(act(unit, target, action, body, condition), answer)),
        ),
      admissionControl.releaseSlotDuring(request),
    );
  };
}

/** As a client says it that sends a body. */
const NOTHING = Buffer.from('{}');

export function handleRemove(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const condition = conditionOn(request, target);
    const refused = await removeInBatches(request.service, requestOptionsOf(request, options), target, condition);
    return answerRemoval(request, reply, refused);
  };
}

export function handleReplaceTranslation(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service, address } = request;
    const sent = readBody(request, route, plainTexts);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const target = targetOf(request, route);
    const language = address.language!;
    const condition = textsConditionOn(request, target);
    const outcome = await inUnit(service, textRequestOptionsOf(request, options), (unit) =>
      thenAnswer(replaceTranslation(unit, target, sent, condition), (texts) =>
        renderView(represent(request, texts, { ...target, texts: { language } }), language),
      ),
    );
    return sendOutcome(request, reply, outcome);
  };
}

export function handleRemoveTranslation(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const condition = textsConditionOn(request, target);
    const refused = await inUnit(request.service, textRequestOptionsOf(request, options), (unit) =>
      removeTranslation(unit, target, condition),
    );
    return answerRemoval(request, reply, refused);
  };
}

function answerRemoval(request: FastifyRequest, reply: FastifyReply, refused: Problem | undefined): FastifyReply {
  if (refused) return sendProblem(reply, refused);
  applyPreference(request, reply);
  return reply.code(204).send();
}

/** Makes the answer of an outcome, before the unit ends. */
async function thenAnswer<W, R>(outcome: Promise<W | Problem>, answer: (written: W) => R): Promise<R | Problem> {
  const written = await outcome;
  return isProblem(written) ? written : answer(written);
}

function conditionsOf({ headers }: FastifyRequest): Conditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
}

/** The request's condition on the record, by the tag that a GET of its form would answer now. */
function conditionOn(request: FastifyRequest, shown: Shown): Condition | undefined {
  return conditionOf(conditionsOf(request), (now) => represent(request, now, shown).etag);
}

/** As `conditionOn`, of texts: If-Match names the tag of those in the path's language, or of all. */
function textsConditionOn(request: FastifyRequest, target: Target): TextsCondition {
  const { ifMatch, ifNoneMatch } = conditionsOf(request);
  const language = request.address.language!;
  return (now) => {
    const texts = textsIn(now, target, { language });
    const one = isProblem(texts) ? undefined : represent(request, texts, { ...target, texts: { language } }).etag;
    const all = shownTexts(request, target, now).etag;
    // "*" asks that these texts are there, as If-None-Match: * asks that they are not.
    if (isProblem(texts) && ifMatch?.trim() === '*') return texts;
    const stale = refusalOf({ ifMatch }, one ?? all, now.version);
    if (stale && refusalOf({ ifMatch }, all, now.version)) return stale;
    return one === undefined ? undefined : refusalOf({ ifNoneMatch }, one, now.version);
  };
}

function formOf({ body }: FastifyRequest): Form | undefined {
  return body instanceof Form ? body : undefined;
}

/** The body as plain JSON, whatever it was sent as. */
function readBody(
  request: FastifyRequest,
  route: ModelRoute,
  plain: (body: JsonObject) => JsonObject,
): JsonObject | Problem {
  if (request.body instanceof Form) return formBody(route, request.body);
  const sent = readJsonObject(request.body as Buffer | undefined);
  if (isProblem(sent) || !isLinkedData(request.headers['content-type'], request.answerType)) return sent;
  return plain(sent);
}

/** The address of what was created: the path itself for a single record, else the path and its own parameter. */
function locationOf(
  { service, url }: FastifyRequest,
  { parameter, item, fields, declaration }: ModelRoute,
  { record }: Versioned,
  sent: JsonObject,
): string {
  const { baseUrl } = service.environment;
  const path = `${baseUrl}${url.split('?')[0]}`;
  if (parameter === undefined) return path;
  // Where the answer is the owner, the new record's own parameter is in what was sent.
  const own = (declaration.answersOwner ? withIdentifiers(fields, sent, baseUrl) : record)[item!.name];
  return `${path}/${own}`;
}
