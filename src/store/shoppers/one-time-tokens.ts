/**
 * One-time tokens in mails to customers (storefront.md §3). Each attempt to send a mail creates one; only its hash is stored. The
 * row of the mail contains what the token is for, so that deleting the mail ends its tokens.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import {
  BindParam,
  looseMatch,
  type Problem,
  problem,
  type Reads,
  type Service,
  TEXT_FORMS,
  type Unit,
  type Value,
} from '../../engine/index.ts';

/** Seconds for which a token is valid. */
const VALID_SECONDS = { verify: 24 * 3600, reset: 3600, login_change: 24 * 3600 } as const;

export type Purpose = keyof typeof VALID_SECONDS;

/** What a token is for. */
export interface TokenUse {
  /** Id of the token. */
  readonly token: number;
  readonly purpose: Purpose;
  /** Id of the mail. */
  readonly mail: number;
  /** The address that the mail was sent to. */
  readonly to: string;
  /** Id of the customer; null if there was none. */
  readonly profile: number | null;
  /** What the mail was queued with. */
  readonly data: Readonly<Record<string, Value>>;
}

const TOKEN = /^pv_ot_[\w-]{43}$/;
const TOKEN_BYTES = 32;

/** Adds a token for one attempt to send a mail. Earlier ones remain, because their mails may have arrived. */
export async function insertOneTimeToken(unit: Unit, mail: number, purpose: Purpose): Promise<string> {
  const token = `pv_ot_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const expires = unit.now + VALID_SECONDS[purpose];
  await unit.insert('OneTimeToken', { mail, hash: hashOfToken(token), purpose, expires });
  return token;
}

/** @returns what the token is for; undefined if it is unknown, used or expired, or for another purpose */
export async function findOneTimeToken(
  reads: Reads,
  token: string,
  purposes: readonly Purpose[],
): Promise<TokenUse | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [row] = await reads.query(
    'find one-time token',
    ({ placeholder }) => sql`select token.id, token.purpose, mail.id, mail."to", mail.profile_id, mail.data
      from ${sql.table('one_time_token')} as token join ${sql.table('mail')} as mail on mail.id = token.mail_id
      where token.hash = ${placeholder(new BindParam('hash', 'text'))}
      and token.expires > ${placeholder(new BindParam('now', 'timestamp'))}`,
    { hash: hashOfToken(token), now: reads.service.clock.now() },
  );
  if (!row || !purposes.includes(row[1] as Purpose)) return undefined;
  const [id, purpose, mail, to, profile, data] = row;
  return {
    ...{ token: Number(id), purpose: purpose as Purpose, mail: Number(mail), to: to as string },
    profile: profile === null ? null : Number(profile),
    data: reads.service.database.dialect.decode.json(data as never) as TokenUse['data'],
  };
}

/** Uses a token up. Of several concurrent uses, one succeeds. @returns false if it could not be used any more */
export async function spendOneTimeToken(unit: Unit, { token }: TokenUse): Promise<boolean> {
  const [held] = await unit.hold('OneTimeToken', [token]);
  if (!held) return false;
  await unit.remove('OneTimeToken', { id: token });
  return true;
}

/** Ends all tokens of a customer, and deletes mails whose next attempt would create another one. */
export async function endTokensOf(unit: Unit, profile: Value): Promise<void> {
  const where = { profile, template: ['reset', 'login_change'] };
  await endTokens(unit, await unit.list('Mail', where, { only: ['status'] }));
}

/**
 * Ends the tokens in mails to a login that do not belong to a customer yet, and links the mails to its customer. Mails
 * that are not sent are deleted.
 */
export async function endMailsTo(
  unit: Unit,
  templates: readonly string[],
  login: string,
  profile: Value,
): Promise<void> {
  const rows = await unit.query(
    'mails to a login',
    ({ placeholder, listed }) => sql`select id, "to", status from ${sql.table('mail')}
      where template in (select ${sql.id('listed', 'value')} from ${listed(new BindParam('templates', 'text', true))})
      and profile_id is null and to_key = ${placeholder(new BindParam('key', 'text'))}`,
    { templates: [...templates], key: TEXT_FORMS.key(login) },
  );
  const same = rows.filter(([, to]) => looseMatch(to as string) === looseMatch(login));
  const mails = same.map(([id, , status]) => ({ id: id as Value, status: status as Value }));
  const sent = await endTokens(unit, mails);
  // The data contains the hash of a password.
  await unit.updateAll('Mail', new Map(sent.map((id) => [id, { profile, data: {} }])));
}

/**
 * @param mails with their status
 * @returns ids of the mails that remain: those that were sent
 */
async function endTokens(unit: Unit, mails: readonly Readonly<Record<string, Value>>[]): Promise<Value[]> {
  const { sent = [], others = [] } = Object.groupBy(mails, ({ status }) => (status === 'sent' ? 'sent' : 'others'));
  await unit.remove('OneTimeToken', { mail: mails.map(({ id }) => id!) });
  await unit.remove('Mail', { id: others.map(({ id }) => id!) });
  return sent.map(({ id }) => id!);
}

/** The same problem for every reason, so that it does not reveal which tokens existed. */
export function tokenInvalid(): Problem {
  return problem('token-invalid', 'The token is unknown, already used or expired. Request another mail.');
}

/** Deletes expired tokens, and what the mails of registrations were queued with. */
export async function forgetOneTimeTokens({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget one-time tokens',
    ({ placeholder }) => sql`delete from ${sql.table('one_time_token')}
      where expires <= ${placeholder(new BindParam('now', 'timestamp'))} returning 1`,
  );
  const empty = statements.get(
    'empty mails without tokens',
    ({ placeholder }) => sql`update ${sql.table('mail')} set data = ${placeholder(new BindParam('data', 'json'))}
      where template in ('verify', 'account_exists') and status <> 'queued' and cast(data as text) <> '{}'
      and id not in (select mail_id from ${sql.table('one_time_token')}) returning 1`,
  );
  await database.transaction((transaction) => transaction.run(forget, { now: clock.now() }));
  await database.transaction((transaction) => transaction.run(empty, { data: {} }));
}

function hashOfToken(token: string): string {
  return hash('sha256', token, 'hex');
}
