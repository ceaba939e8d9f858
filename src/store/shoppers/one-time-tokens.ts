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

/**
 * Uses a token up, with all others of its purpose. Of several concurrent uses, one succeeds.
 * @returns the ids of their mails; undefined if the token could not be used any more
 */
export async function spendOneTimeToken(unit: Unit, use: TokenUse): Promise<readonly number[] | undefined> {
  const { token, purpose, mail, profile } = use;
  const [held] = await unit.hold('OneTimeToken', [token]);
  if (!held) return undefined;
  const others = profile === null ? await mailsToSameLogin(unit, use) : await mailsOf(unit, purpose, profile);
  const ids = [...new Set([mail, ...others])];
  await unit.remove('OneTimeToken', { mail: ids });
  // They contain hashes of passwords.
  for (const id of ids) await unit.update('Mail', id, { data: {} });
  return ids;
}

async function mailsOf(unit: Unit, purpose: Purpose, profile: number): Promise<number[]> {
  const mails = await unit.list('Mail', { profile }, { only: ['template'] });
  return mails.filter(({ template }) => template === purpose).map(({ id }) => Number(id));
}

/** The mails of a registration with tokens: logins that differ in case, for example, are the same login. */
async function mailsToSameLogin(unit: Unit, { purpose, to }: TokenUse): Promise<number[]> {
  const rows = await unit.query(
    'mails with tokens to a login',
    ({ placeholder }) => sql`select distinct mail.id, mail."to" from ${sql.table('one_time_token')} as token
      join ${sql.table('mail')} as mail on mail.id = token.mail_id
      where token.purpose = ${placeholder(new BindParam('purpose', 'text'))}
      and mail.to_key = ${placeholder(new BindParam('key', 'text'))}`,
    { purpose, key: TEXT_FORMS.key(to) },
  );
  return rows.filter(([, other]) => looseMatch(other as string) === looseMatch(to)).map(([id]) => Number(id));
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
