/** Registration, forgotten passwords and changes of the login, with tokens in mails (storefront.md §3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isProblem, type Value } from '../../../engine/index.ts';
import { readCustomer } from '../../../shop/customers/customer.ts';
import type { Transport } from '../../../shop/customers/inputs.ts';
import {
  loginChangeInput,
  newPasswordInput,
  registrationInput,
  resetInput,
  verificationInput,
} from '../../../shop/customers/mail-inputs.ts';
import { resetPassword, verifyAccount } from '../../../store/shoppers/accounts.ts';
import { passwordFingerprint } from '../../../store/shoppers/password-fingerprint.ts';
import { openShopperSession } from '../../../store/shoppers/sessions.ts';
import type { AdmissionControl } from '../../admission/admission-control.ts';
import type { Handle } from '../../resources/reads.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem } from '../../responses/response.ts';
import { customerActor } from '../../server/actor.ts';
import type { HttpOptions } from '../../server/context.ts';
import { handleMailed } from './mailed-requests.ts';
import { holdConfirmed, type PasswordChecks } from './passwords.ts';
import { customerBody, readMembers, shopperOptions } from './requests.ts';
import { sendSession } from './sessions.ts';

export function registerAccountRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  checks: PasswordChecks,
  control: AdmissionControl,
): void {
  const body = customerBody(options, {});
  app.post(`${STOREFRONT_PATH}/account`, body, handleRegistration(options, checks));
  app.post(`${STOREFRONT_PATH}/account/verify`, body, handleVerification);
  app.post(`${STOREFRONT_PATH}/password/reset`, body, handleReset(options));
  app.put(`${STOREFRONT_PATH}/password`, body, handleNewPassword(control));
  const own = customerBody(options, { needsSession: true } as const);
  app.put(`${STOREFRONT_PATH}/me/login`, own, handleLoginChange(options, checks));
}

/** The hash of the password belongs to the mail, so that it applies only if the owner of the address opens the link. */
function handleRegistration(options: HttpOptions, checks: PasswordChecks): Handle {
  return handleMailed(options, async (request) => {
    const sent = readMembers(request, registrationInput);
    if (isProblem(sent)) return sent;
    const { login: to, password, language } = sent as Readonly<Record<string, string>>;
    const data = { password: await checks.hash(request, password!), language: language || languageOf(request) };
    return { mails: [{ template: 'verify', to: to!, data }] };
  });
}

const handleVerification: Handle = async (request, reply) => {
  const sent = readMembers(request, verificationInput);
  if (isProblem(sent)) return sendProblem(reply, sent);
  const { token, transport = 'bearer' } = sent as { readonly token: string; readonly transport?: Transport };
  const begun = await verifyAccount(request.service, tokenOptions(request), token, async (unit, profile) => ({
    session: await openShopperSession(unit, profile),
    customer: (await readCustomer(unit, profile))!,
  }));
  return isProblem(begun) ? sendProblem(reply, begun) : sendSession(request, reply, begun, transport);
};

/** The options of a request whose customer the token names. */
function tokenOptions(request: FastifyRequest) {
  return { ...shopperOptions(request), actor: customerActor(request, '') };
}

function handleReset(options: HttpOptions): Handle {
  return handleMailed(options, (request) => {
    const sent = readMembers(request, resetInput);
    if (isProblem(sent)) return sent;
    const to = sent.login as string;
    return { mails: [{ template: 'reset', to, data: { language: languageOf(request) } }] };
  });
}

function handleNewPassword(control: AdmissionControl): Handle {
  return async (request, reply) => {
    const sent = readMembers(request, newPasswordInput);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const { token, password } = sent as { readonly token: string; readonly password: string };
    const slowly = control.releaseSlotDuring(request);
    const rejected = await resetPassword(request.service, tokenOptions(request), { token, password }, slowly);
    return rejected ? sendProblem(reply, rejected) : reply.code(204).send();
  };
}

function languageOf({ requestContext }: FastifyRequest): string {
  return requestContext.language;
}

/** The old address gets a notice, because somebody else may know the password. Without it, no mail is sent at all. */
function handleLoginChange(options: HttpOptions, checks: PasswordChecks): Handle {
  return handleMailed(options, async (request) => {
    const sent = readMembers(request, loginChangeInput);
    if (isProblem(sent)) return sent;
    const confirmed = await checks.confirm(request, sent.current as string);
    if (isProblem(confirmed)) return confirmed;
    const { profile, login } = confirmed;
    const to = sent.login as string;
    const data: Record<string, Value> = { language: languageOf(request) };
    const fingerprint = passwordFingerprint(confirmed.hash);
    return {
      mails: [
        { template: 'login_change_notice', to: login, profile, data },
        { template: 'login_change', to, profile, data: { ...data, fingerprint } },
      ],
      hold: (unit) => holdConfirmed(unit, request, confirmed),
    };
  });
}
