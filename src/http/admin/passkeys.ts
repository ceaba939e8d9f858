/** Passkeys in `/admin/session`: the options that browsers need, sign-in, and the confirmation of a session (access.md §3). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type JsonObject,
  messages,
  type Problem,
  problem,
  rejectUnknownField,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import type { ValidKey } from '../../store/keys.ts';
import {
  confirmWithPasskey,
  signInWithPasskey,
  signInWithTicketAndPasskey,
} from '../../store/users/passkey-sign-in.ts';
import { askForPasskey, ownerOf, type PasskeyUse, provePasskey } from '../../store/users/passkeys.ts';
import type { SignedIn } from '../../store/users/sign-in.ts';
import { userOfTicket } from '../../store/users/tickets.ts';
import type { RelyingParty } from '../../store/users/webauthn.ts';
import { unauthorized } from '../admission/authentication.ts';
import type { Counts } from '../admission/rate-limits.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import type { HttpOptions } from '../server/context.ts';
import { sessionIdOf } from './cookie.ts';
import { rejectWrong } from './rejected-sign-in.ts';
import type { SignIn } from './sign-in-body.ts';
import { clientOf } from './user-sign-in.ts';

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Given = Extract<SignIn, { by: 'passkey' }>;

/** Without a ticket, the user chooses among all passkeys of the store. @param rejectTicket for tickets that cannot be used */
export function handleSignInOptions(
  options: HttpOptions,
  rejectTicket: (request: FastifyRequest) => Promise<Problem>,
): Handle {
  return handleOptions(options, async (request, { ticket }) => {
    if (ticket === undefined) return { purpose: 'sign_in' };
    const userId = await userOfTicket(request.service, ticket);
    return userId === undefined ? rejectTicket(request) : { purpose: 'second_factor', userId };
  });
}

/** @param own finds the session of the request */
export function handleConfirmOptions(
  options: HttpOptions,
  own: (request: FastifyRequest) => Promise<ValidKey | Problem>,
): Handle {
  return handleOptions(options, async (request) => {
    const valid = await own(request);
    if (isProblem(valid)) return valid;
    return valid.user ? { purpose: 'confirmation', userId: valid.user.id } : noPasskey();
  });
}

function handleOptions(
  { passkeys }: HttpOptions,
  useOf: (request: FastifyRequest, sent: { readonly ticket?: string }) => Promise<PasskeyUse | Problem>,
): Handle {
  return async (request, reply) => {
    if (!passkeys) return sendProblem(reply, passkeysOff());
    const sent = readTicket(request);
    const use = isProblem(sent) ? sent : await useOf(request, sent);
    if (isProblem(use)) return sendProblem(reply, use);
    const asked = await askForPasskey(request.service, passkeys, use, rateLimitGroup(request.ip));
    if (!asked) return sendProblem(reply, noPasskey());
    return reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
      .send(JSON.stringify(asked));
  };
}

function readTicket({ body, routeOptions: { url = '' } }: FastifyRequest): { readonly ticket?: string } | Problem {
  const sent: JsonObject | Problem = body === undefined ? {} : readJsonObject(body as Buffer);
  if (isProblem(sent)) return sent;
  const known = url.includes('/confirm/') ? [] : ['ticket'];
  const violations = new Violations();
  for (const [name, value] of Object.entries(sent))
    if (!known.includes(name)) rejectUnknownField('', name, withoutSynonyms(known), violations);
    else if (typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
  return violations.list.length > 0 ? validationFailed(violations.list) : (sent as { ticket?: string });
}

/** Signs in with a passkey, alone or with a ticket. @returns undefined if the ticket cannot be used */
export async function signInWith(
  request: FastifyRequest,
  { passkey, ticket }: Given,
  party: RelyingParty,
  failedKeys: Counts,
): Promise<SignedIn | Problem | undefined> {
  const { service } = request;
  const client = clientOf(request);
  if (ticket === undefined) {
    const proven = await provePasskey(service, party, passkey, { purpose: 'sign_in' });
    const signedIn = proven && (await signInWithPasskey(service, proven, client));
    return signedIn ?? wrongPasskey(request, failedKeys, await ownerOf(service, passkey));
  }
  const userId = await userOfTicket(service, ticket);
  if (userId === undefined) return undefined;
  const proven = await provePasskey(service, party, passkey, { purpose: 'second_factor', userId });
  const signedIn = await signInWithTicketAndPasskey(service, { ticket, proven }, client);
  return signedIn === 'used' ? undefined : (signedIn ?? wrongPasskey(request, failedKeys, userId));
}

/** Confirms the session of a user. @returns undefined if it is confirmed */
export async function confirmWith(
  request: FastifyRequest,
  passkey: JsonObject,
  { id: userId }: { readonly id: number },
  party: RelyingParty,
  failedKeys: Counts,
): Promise<Problem | undefined> {
  const { service } = request;
  const proven = await provePasskey(service, party, passkey, { purpose: 'confirmation', userId });
  const isConfirmed = proven && (await confirmWithPasskey(service, proven, sessionIdOf(request)!));
  return isConfirmed ? undefined : wrongPasskey(request, failedKeys, userId);
}

/**
 * A passkey cannot be guessed, so a wrong one counts like a wrong key, not like a wrong password.
 * @param id of the user; null if it is not known
 */
function wrongPasskey(request: FastifyRequest, failedKeys: Counts, id: number | null): Promise<Problem> {
  const wrong = unauthorized('The passkey is wrong or unknown, was used too late, or the account is not active.');
  return rejectWrong(request, failedKeys, wrong, { kind: 'User', id });
}

function noPasskey(): Problem {
  return problem('conflict', 'This account has no passkey. Send the password or a code instead.');
}

export function passkeysOff(): Problem {
  return problem('not-found', 'This store does not use passkeys. Ask whoever runs it to enable them.');
}
