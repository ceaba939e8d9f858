/** `/api/mail_templates`: the templates of mails (mail.md §4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAIL_TEMPLATES_PATH } from '../../access/scopes.ts';
import {
  API_PATH,
  isProblem,
  type Problem,
  problem,
  rejectUnknownField,
  type ShownRecord,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import { auditedTransaction } from '../../store/audit/audited-transaction.ts';
import type { Template } from '../../store/mails/templates/layout.ts';
import {
  isTemplateName,
  listTemplates,
  readTemplate,
  removeTemplate,
  TEMPLATE_LANGUAGES,
  type TemplateKey,
  writeTemplate,
} from '../../store/mails/templates/overrides.ts';
import { exampleVariables, rejectTemplate, rendered } from '../../store/mails/templates/render.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import {
  bodyRoute,
  READS,
  readNoParameters,
  rejectCondition,
  rejectLimitedKey,
  rejectRights,
  sendNothing,
  sendOnce,
  sendView,
  WRITES,
} from '../users/records.ts';

const LIST = `${API_PATH}${MAIL_TEMPLATES_PATH}`;
const ITEM = `${LIST}/:name/:language`;
const LOCK = 'mail templates';
const PARTS = ['subject', 'text', 'html'];

export function registerMailTemplateRoutes(app: FastifyInstance, options: HttpOptions): void {
  const readAddress = readNoParameters;
  app.get(LIST, { config: { ...READS, readAddress } }, handleList);
  app.get(ITEM, { config: { ...READS, readAddress } }, handled(handleRead));
  app.put(ITEM, bodyRoute(options, { readAddress }), handled(handleWrite));
  app.delete(ITEM, { config: { ...WRITES, readAddress } }, handled(handleRemove));
  const action = bodyRoute(options, { readAddress, needsNoBody: true });
  app.post(`${ITEM}/preview`, action, handled(handlePreview(options)));
}

type KeyHandle = (request: FastifyRequest, reply: FastifyReply, key: TemplateKey) => Promise<FastifyReply | Problem>;

function handled(handle: KeyHandle): Handle {
  return async (request, reply) => {
    const key = keyOf(request);
    const sent = isProblem(key) ? key : await handle(request, reply, key);
    return isProblem(sent) ? sendProblem(reply, sent) : sent;
  };
}

/** Returns the languages of the store that the client can choose, then the other ones of the built-in templates. */
function languagesOf({ requestContext: { languages } }: FastifyRequest): readonly string[] {
  return [...new Set([...languages, ...TEMPLATE_LANGUAGES])];
}

const handleList: Handle = async (request, reply) =>
  sendView(request, reply, await listTemplates(request.service, languagesOf(request)));

function keyOf(request: FastifyRequest): TemplateKey | Problem {
  const { name, language } = request.params as { readonly name: string; readonly language: string };
  if (isTemplateName(name) && languagesOf(request).includes(language)) return { name, language };
  return problem(
    'not-found',
    'There is no template with this name and language. GET /mail_templates lists all of them.',
  );
}

async function recordOf({ service }: FastifyRequest, key: TemplateKey): Promise<ShownRecord> {
  const { subject, text, html, isBuiltIn, language } = await readTemplate(service, key);
  return { ...key, subject, text, html, built_in: isBuiltIn || language !== key.language };
}

const handleRead: KeyHandle = async (request, reply, key) => sendView(request, reply, await recordOf(request, key));

/**
 * A template decides where the link of its mails leads. Links of the staff may sign in a user with all rights, those of customers
 * can set their passwords, so a change needs the same rights.
 */
function rejectTemplateChange(request: FastifyRequest, { name }: TemplateKey): Problem | undefined {
  const action = 'Changing this template';
  if (!name.startsWith('staff_')) return rejectRights(request, { scopes: ['profiles:write'], masks: [] }, action);
  return rejectLimitedKey(request, action) ?? rejectRights(request, { scopes: ['*:*'], masks: [] }, action);
}

const handleWrite: KeyHandle = async (request, reply, key) => {
  const { service } = request;
  const forbidden = rejectTemplateChange(request, key);
  if (forbidden) return forbidden;
  const sent = readJsonObject(request.body as Buffer | undefined);
  if (isProblem(sent)) return sent;
  const violations = rejectTemplate(key.name, sent);
  if (!request.requestContext.lenient)
    for (const name of Object.keys(sent))
      if (!PARTS.includes(name)) rejectUnknownField('', name, withoutSynonyms(PARTS), violations);
  if (violations.list.length > 0) return validationFailed(violations.list);
  const template = sent as unknown as Template;
  const rejected = await auditedTransaction(service, actorOf(request), async (transaction) => {
    await transaction.lock(LOCK);
    const failed = rejectCondition(request, await recordOf(request, key));
    if (failed) return failed;
    const before = await removeTemplate(service, transaction, key);
    await writeTemplate(service, transaction, key, template);
    transaction.recordChange('MailTemplate', idOf(key), auditedTemplate(before), auditedTemplate(template));
    return undefined;
  });
  return rejected ?? sendView(request, reply, await recordOf(request, key));
};

const handleRemove: KeyHandle = async (request, reply, key) => {
  const { service } = request;
  const forbidden = rejectTemplateChange(request, key);
  if (forbidden) return forbidden;
  const rejected = await auditedTransaction(service, actorOf(request), async (transaction) => {
    await transaction.lock(LOCK);
    const failed = rejectCondition(request, await recordOf(request, key));
    if (failed) return failed;
    const before = await removeTemplate(service, transaction, key);
    if (!before)
      return problem('not-found', 'The store has not replaced this template, so there is nothing to delete.');
    transaction.recordChange('MailTemplate', idOf(key), auditedTemplate(before), undefined);
    return undefined;
  });
  return rejected ?? sendNothing(request, reply);
};

function handlePreview({ mail }: HttpOptions): KeyHandle {
  return async (request, reply, key) => {
    const { service } = request;
    const sent = readJsonObject(request.body as Buffer | undefined);
    if (isProblem(sent)) return sent;
    const violations = new Violations();
    if (!request.requestContext.lenient)
      for (const name of Object.keys(sent)) rejectUnknownField('', name, [], violations);
    if (violations.list.length > 0) return validationFailed(violations.list);
    const store = mail?.storeName ?? new URL(service.environment.baseUrl).hostname;
    const { subject, text, html } = await readTemplate(service, key);
    return sendOnce(request, reply, { ...rendered({ subject, text, html }, exampleVariables(key.name, store)) });
  };
}

function idOf({ name, language }: TemplateKey): string {
  return `${name}/${language}`;
}

function auditedTemplate(template: Template | undefined) {
  if (!template) return undefined;
  const { subject, text, html } = template;
  return { shown: { subject, text, html }, secrets: {} };
}
