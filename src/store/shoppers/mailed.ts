/** Mails to customers (mail.md §4). Each attempt to send one decides what it says, and creates its token. */
import { sql } from 'kysely';
import {
  inUnit,
  looseMatch,
  matchColumn,
  type Reads,
  type Service,
  type Unit,
  type Value,
} from '../../engine/index.ts';
import { param } from '../mails/outbox.ts';
import type { ClaimedMail } from '../mails/outbox-rows.ts';
import type { TemplateName } from '../mails/templates/built-in.ts';
import { jobRequestOptions } from '../own-requests.ts';
import { withShopUrl } from '../shop-url.ts';
import { insertOneTimeToken, type Purpose } from './one-time-tokens.ts';
import { readOrderLinkKey, signOrderLink } from './order-links.ts';
import { isUnchanged } from './password-fingerprint.ts';

type Mail = Pick<ClaimedMail, 'id' | 'template' | 'to' | 'profile' | 'data'>;

/** What one attempt sends. */
interface CustomerMail {
  readonly template: TemplateName;
  readonly to: string;
  /** Empty: that of the store. */
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** @returns undefined if the mail is no longer needed, such as one to somebody who is not a customer */
export async function customerMail(service: Service, mail: Mail): Promise<CustomerMail | undefined> {
  const requestOptions = jobRequestOptions('mail');
  const { environment } = await withShopUrl(service, requestOptions);
  // Before the unit, because the first call writes.
  const orderLinkKey = await readOrderLinkKey(service);
  return inUnit(service, requestOptions, (unit) => {
    const linkTo = linksTo(environment.settings.shop_url);
    return composed({ unit, mail, orderLinkKey, linkTo });
  });
}

/** @throws {Error} if the store no longer has an address of the shop; the mail is retried */
function linksTo(shopUrl = ''): Attempt['linkTo'] {
  return (template, token) => {
    if (shopUrl === '') throw new Error('Links in mails to customers need shop_url, which is not set.');
    return `${shopUrl}/${template}#token=${token}`;
  };
}

interface Attempt {
  readonly unit: Unit;
  readonly mail: Mail;
  readonly orderLinkKey: Buffer;
  readonly linkTo: (template: string, token: string) => string;
}

async function composed(attempt: Attempt): Promise<CustomerMail | undefined> {
  switch (attempt.mail.template) {
    case 'reset':
      return resetMail(attempt);
    case 'login_change':
      return loginChangeMail(attempt);
    case 'login_change_notice':
      return loginChangeNotice(attempt);
    case 'order_link':
      return orderLinkMail(attempt);
    default:
      return registrationMail(attempt);
  }
}

type Profile = Awaited<ReturnType<Reads['list']>>[number];

/** Somebody with a login is informed that there is an account. The address is the stored one, which may be spelled otherwise. */
async function registrationMail(attempt: Attempt): Promise<CustomerMail | undefined> {
  const { unit, mail } = attempt;
  const owner = await profileWithLogin(unit, mail.to);
  if (owner) return accountExistsMail(attempt, owner);
  return typeof mail.data.password === 'string' ? tokenMail(attempt, 'verify', undefined) : undefined;
}

async function accountExistsMail({ unit, mail }: Attempt, owner: Profile): Promise<CustomerMail> {
  const login = owner.login as string;
  await unit.update('Mail', mail.id, { profile: owner.id! });
  return { ...addressed({ ...mail, to: login }, owner), template: 'account_exists', variables: { login } };
}

async function resetMail(attempt: Attempt): Promise<CustomerMail | undefined> {
  const { unit, mail } = attempt;
  const found = await profileWithLogin(unit, mail.to);
  const owner = found && (await holdForToken(attempt, found.id!));
  if (owner?.status !== 'E' || looseMatch(owner.login as string) !== looseMatch(mail.to)) return undefined;
  // An earlier attempt was for another customer with this login, who was deleted.
  if (mail.profile !== owner.id) await unit.remove('OneTimeToken', { mail: mail.id });
  await unit.update('Mail', mail.id, { profile: owner.id! });
  return tokenMail({ ...attempt, mail: { ...mail, to: owner.login as string } }, 'reset', owner);
}

async function loginChangeMail(attempt: Attempt): Promise<CustomerMail | undefined> {
  const { unit, mail } = attempt;
  const profile = mail.profile === null ? undefined : await holdForToken(attempt, mail.profile);
  if (!profile || !isUnchanged(profile, mail.data)) return undefined;
  const owner = await profileWithLogin(unit, mail.to);
  if (owner && owner.id !== profile.id) return accountExistsMail(attempt, owner);
  return tokenMail(attempt, 'login_change', profile);
}

async function loginChangeNotice({ unit, mail }: Attempt): Promise<CustomerMail | undefined> {
  const profile = mail.profile === null ? undefined : await unit.read('Profile', mail.profile);
  return profile?.status === 'E' ? { ...addressed(mail, profile), variables: { login: mail.to } } : undefined;
}

/**
 * Locks a customer, and then the mail, so that a concurrent change of the customer either ends the new token or deletes
 * the mail first.
 * @returns undefined if the mail was deleted
 */
async function holdForToken({ unit, mail }: Attempt, profile: Value): Promise<Profile | undefined> {
  const [customer] = await unit.hold('Profile', [profile]);
  const [held] = await unit.hold('Mail', [mail.id]);
  return held && customer;
}

async function tokenMail(
  { unit, mail, linkTo }: Attempt,
  purpose: Purpose,
  profile: Profile | undefined,
): Promise<CustomerMail> {
  const token = await insertOneTimeToken(unit, mail.id, purpose);
  const variables = { login: mail.to, link: linkTo(purpose, token) };
  return { ...addressed(mail, profile), template: purpose, variables };
}

async function orderLinkMail({ unit, mail, orderLinkKey, linkTo }: Attempt): Promise<CustomerMail | undefined> {
  const orders = await unit.list('Order', { order_number: mail.data.order! }, { only: ORDER_FIELDS });
  const order = orders.find(({ email }) => looseMatch(email as string) === looseMatch(mail.to));
  // No mail server has addresses below .invalid (RFC 2606), which erased orders have.
  if (!order || mail.to.endsWith('.invalid')) return undefined;
  if (order.customer_id !== null) await unit.update('Mail', mail.id, { profile: order.customer_id! });
  const to = order.email as string;
  const token = signOrderLink(orderLinkKey, { order: Number(order.id), email: to }, unit.now);
  const variables = { order: order.order_number as string, link: linkTo('order_link', token) };
  return { ...addressed({ ...mail, to }, undefined), variables };
}

const ORDER_FIELDS = ['order_number', 'email', 'customer_id'];

function addressed({ template, to, data }: Mail, profile: Profile | undefined): Omit<CustomerMail, 'variables'> {
  const language = String(profile?.language || data.language || '');
  return { template: template as TemplateName, to, language };
}

/** Finds the customer with this login, compared as for duplicates. */
async function profileWithLogin(reads: Reads, login: string): Promise<Profile | undefined> {
  const field = reads.service.model.resources.get('Profile')!.fields.get('login')!;
  const [row] = await reads.query(
    'profile with login',
    ({ placeholder }) => sql`select id from ${sql.table('profile')}
      where ${sql.id(matchColumn(field))} = ${placeholder(param('login', 'text'))} order by id`,
    { login: looseMatch(login) },
  );
  return row && reads.read('Profile', row[0] as Value);
}
