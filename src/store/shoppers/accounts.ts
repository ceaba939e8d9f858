/** What customers do with the tokens in their mails: they create accounts, and change logins and passwords (storefront.md §3). */
import {
  type Actor,
  committed,
  inUnit,
  isProblem,
  type Problem,
  type RequestOptions,
  type Service,
  type Unit,
  writeRecord,
} from '../../engine/index.ts';
import { routeOf, targetAt } from '../own-requests.ts';
import {
  endMailsTo,
  findOneTimeToken,
  type Purpose,
  spendOneTimeToken,
  type TokenUse,
  tokenInvalid,
} from './one-time-tokens.ts';
import { endShopperSessions } from './sessions.ts';

/** A customer, whose id is known as soon as the unit has found out the customer. */
export type CustomerActor = Actor & { id: string };

type Options = RequestOptions & { readonly actor: CustomerActor };

/**
 * Creates the account of a registration, or changes the login of a customer. A change of the login ends all sessions.
 * @param work runs in the unit afterwards, and may run again
 * @returns 410 if the token cannot be used, or if the login was taken since
 */
export async function verifyAccount<T>(
  service: Service,
  requestOptions: Options,
  token: string,
  work: (unit: Unit, profile: number) => Promise<T>,
): Promise<T | Problem> {
  const use = await findToken(service, requestOptions, token, ['verify', 'login_change']);
  if (isProblem(use)) return use;
  const { to, profile, data } = use;
  const isNew = use.purpose === 'verify';
  const target = targetAt(routeOf(service, 'Profile'), isNew ? {} : { id: profile });
  const sent = { login: to, ...(isNew ? { language: data.language } : {}) };
  return writeRecord(service, requestOptions, target, isNew ? 'create' : 'patch', sent, {}, async (unit, saved) => {
    if (!isNew && !(await holdCustomer(unit, use))) return tokenInvalid();
    if (!(await spendOneTimeToken(unit, use))) return tokenInvalid();
    const written = await saved();
    if (isProblem(written)) return isTaken(written) ? tokenInvalid() : written;
    const id = Number(written.target.id);
    requestOptions.actor.id = String(id);
    await endShopperSessions(unit, id);
    await unit.update('Profile', id, { email_verified_at: unit.now, ...(isNew ? { password: data.password! } : {}) });
    if (isNew) await endMailsTo(unit, ['verify', 'account_exists'], to, id);
    return work(unit, id);
  });
}

/**
 * Sets the password of a customer who has forgotten it, and ends all sessions.
 * @param slowly runs slow work without an admission slot
 * @returns 410 if the token cannot be used
 */
export async function resetPassword(
  service: Service,
  requestOptions: Options,
  { token, password }: { readonly token: string; readonly password: string },
  slowly: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Problem | undefined> {
  const use = await findToken(service, requestOptions, token, ['reset']);
  if (isProblem(use)) return use;
  const hashed = await slowly(() => service.secrets.hash(password));
  return inUnit(service, requestOptions, async (unit) => {
    const customer = await holdCustomer(unit, use);
    if (!customer || !(await spendOneTimeToken(unit, use))) return tokenInvalid();
    requestOptions.actor.id = String(customer.id);
    await unit.update('Profile', customer.id!, {
      ...{ password: hashed, force_change_password: false },
      email_verified_at: customer.email_verified_at ?? unit.now,
    });
    await endMailsTo(unit, ['reset'], use.to, customer.id!);
    await endShopperSessions(unit, customer.id!);
    return undefined;
  });
}

/** Whether another customer has the login. */
function isTaken({ violations }: Problem): boolean {
  return violations?.some(({ propertyPath, code }) => propertyPath === 'login' && code === 'not_unique') ?? false;
}

async function findToken(
  service: Service,
  requestOptions: RequestOptions,
  token: string,
  purposes: readonly Purpose[],
): Promise<TokenUse | Problem> {
  return (await findOneTimeToken(committed(service, requestOptions), token, purposes)) ?? tokenInvalid();
}

/** Locks the customer of a token before the token, because changes of the customer lock both in this order. */
async function holdCustomer(unit: Unit, { profile }: TokenUse) {
  const [customer] = profile === null ? [] : await unit.hold('Profile', [profile]);
  return customer;
}
