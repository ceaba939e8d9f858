/** The passkeys of one’s own account: `/users/me/passkeys` (access.md §3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type JsonObject,
  messages,
  type Problem,
  rejectUnknownField,
  type ShownRecord,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import { readName } from '../../store/read-values.ts';
import {
  createPasskey,
  deletePasskey,
  type PasskeyInput,
  passkeysOf,
  setUpPasskey,
  unknownPasskey,
} from '../../store/users/passkeys.ts';
import { passkeyRecord } from '../../store/users/user-records.ts';
import type { RelyingParty } from '../../store/users/webauthn.ts';
import { sessionIdOf } from '../admin/cookie.ts';
import { passkeysOff } from '../admin/passkeys.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import { ownUser } from './own-account.ts';
import {
  bodyRoute,
  idOf,
  READS,
  readCreate,
  readId,
  readNoParameters,
  rejectCondition,
  sendNothing,
  sendOnce,
  sendView,
  WRITES,
} from './records.ts';

interface Own {
  readonly id: number;
  readonly party: RelyingParty;
}

/** @param path of the own account */
export function registerPasskeyRoutes(app: FastifyInstance, options: HttpOptions, path: string): void {
  const all = `${path}/passkeys`;
  const needsRecentSignIn = true;
  const setUp = { readAddress: readNoParameters, needsRecentSignIn, needsNoBody: true } as const;
  const handled = (handle: OwnHandle) => handledFor(options, handle);
  app.get(all, { config: { ...READS, readAddress: readNoParameters } }, handled(list));
  app.post(all, bodyRoute(options, { readAddress: readCreate, needsRecentSignIn }), handled(create));
  app.post(`${all}/options`, bodyRoute(options, setUp), handled(sendOptions));
  app.get(`${all}/:id`, { config: { ...READS, readAddress: readId } }, handled(read));
  app.delete(`${all}/:id`, { config: { ...WRITES, readAddress: readId, needsRecentSignIn } }, handled(remove));
}

type OwnHandle = (request: FastifyRequest, reply: FastifyReply, own: Own) => Promise<FastifyReply | Problem>;

/** Rejects keys, which have no account, and sends problems. */
function handledFor({ passkeys: party }: HttpOptions, handle: OwnHandle): Handle {
  return async (request, reply) => {
    const user = ownUser(request);
    if (isProblem(user)) return sendProblem(reply, user);
    if (!party) return sendProblem(reply, passkeysOff());
    const sent = await handle(request, reply, { id: user.id, party });
    return isProblem(sent) ? sendProblem(reply, sent) : sent;
  };
}

/** A user has few passkeys, so the list has no pages. */
const list: OwnHandle = async (request, reply, { id }) => {
  const passkeys = await passkeysOf(request.service, id);
  return sendView(
    request,
    reply,
    passkeys.map((passkey) => passkeyRecord(passkey, request.service)),
  );
};

const read: OwnHandle = async (request, reply, { id }) => {
  const found = (await passkeysOf(request.service, id)).find((passkey) => passkey.id === idOf(request));
  return found ? sendView(request, reply, passkeyRecord(found, request.service)) : unknownPasskey();
};

const sendOptions: OwnHandle = async (request, reply, { id, party }) => {
  const input = readInput(request, []);
  const options = isProblem(input) ? input : await setUpPasskey(request.service, party, id, actorOf(request));
  return isProblem(options) ? options : sendOnce(request, reply, options as ShownRecord);
};

const create: OwnHandle = async (request, reply, { id, party }) => {
  const { service } = request;
  const input = readInput(request, ['name', 'passkey']);
  if (isProblem(input)) return input;
  const own = { userId: id, session: sessionIdOf(request)!, by: actorOf(request) };
  const made = (await createPasskey(service, party, own, input as unknown as PasskeyInput)) ?? wrongPasskey();
  if (isProblem(made)) return made;
  const location = `${service.environment.baseUrl}${request.routeOptions.url}/${made.id}`;
  return sendView(request, reply, passkeyRecord(made, service), { status: 201, headers: { location } });
};

const remove: OwnHandle = async (request, reply, { id }) => {
  const { service } = request;
  const rejected = await deletePasskey(service, { userId: id, by: actorOf(request) }, idOf(request), (passkey) =>
    rejectCondition(request, passkeyRecord(passkey, service)),
  );
  return rejected ?? sendNothing(request, reply);
};

/** @param members required ones */
function readInput(
  { body, requestContext: { lenient } }: FastifyRequest,
  members: readonly ('name' | 'passkey')[],
): JsonObject | Problem {
  const sent: JsonObject | Problem = body === undefined ? {} : readJsonObject(body as Buffer);
  if (isProblem(sent)) return sent;
  const violations = new Violations();
  for (const name of lenient ? [] : Object.keys(sent))
    if (!members.includes(name as 'name')) rejectUnknownField('', name, withoutSynonyms(members), violations);
  if (members.includes('name')) readName(sent.name, violations);
  if (members.includes('passkey')) readPasskey(sent.passkey, violations);
  return violations.list.length > 0 ? validationFailed(violations.list) : sent;
}

function readPasskey(passkey: unknown, violations: Violations): void {
  if (passkey === undefined) violations.add('passkey', 'required', messages.blank);
  else if (typeof passkey !== 'object' || passkey === null || Array.isArray(passkey))
    violations.add('passkey', 'type', messages.type('object'));
}

function wrongPasskey(): Problem {
  const violations = new Violations();
  const message = 'This is no new passkey for the options of the last 5 minutes. Request new options and try again.';
  violations.add('passkey', 'conflict', message);
  return validationFailed(violations.list);
}
