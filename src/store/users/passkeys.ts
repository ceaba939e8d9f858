/** Passkeys of users (access.md §3). The store has only their public keys. */
import { sql } from 'kysely';
import {
  type Actor,
  isProblem,
  type JsonObject,
  type Problem,
  problem,
  type Row,
  type Service,
  type Transaction,
} from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { factorsOf, param } from './accounts.ts';
import { type ChallengePurpose, insertChallenge, useChallenge } from './challenges.ts';
import { changeOwnUser } from './guarded-user.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { userHash } from './session-user.ts';
import { deleteTickets } from './tickets.ts';
import { endSessionsOf } from './user-sessions.ts';
import {
  type Credential,
  challengeOf,
  creationOptions,
  type RelyingParty,
  requestOptions,
  userHandleOf,
  verifyNew,
  verifyUse,
} from './webauthn.ts';

/** Times are seconds since 1970. */
export interface Passkey {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly credential: Credential;
  readonly created: number;
  readonly lastUsed: number | null;
}

export interface PasskeyInput {
  readonly name: string;
  /** What the browser has created. */
  readonly passkey: JsonObject;
}

const PASSKEYS_MAX = 10;

/** Base64url. A credential id has up to 1023 bytes (WebAuthn §5.1.3). */
const CREDENTIAL_ID_FORM = /^[\w-]{1,1364}$/;

const TABLE = sql.table('staff_passkey');
const COLUMNS = sql.raw('id, user_id, name, credential_id, public_key, counter, transports, created, last_used');
const ID = param('id', 'integer');
const USER_ID = param('user_id', 'integer');
const CREDENTIAL_ID = param('credential_id', 'text');
const COUNTER = param('counter', 'integer');
const TIME = param('time', 'timestamp');

/** Returns the passkeys of a user by id. */
export async function passkeysOf({ database, statements }: Service, userId: number): Promise<Passkey[]> {
  return (await database.query(listStatement(statements), { user_id: userId })).map(passkeyOf);
}

/** Returns the options for a new passkey. */
export async function setUpPasskey(
  service: Service,
  party: RelyingParty,
  id: number,
  by: Actor,
): Promise<JsonObject | Problem> {
  const made = await changeOwnUser(service, id, by, async ({ email, name }, transaction) => {
    const existing = await readPasskeys(service, transaction, id);
    if (existing.length >= PASSKEYS_MAX) return tooMany();
    const challenge = await insertChallenge(service, transaction, 'registration', userHash(id));
    return { email, name, existing, challenge };
  });
  if (isProblem(made)) return made;
  const user = { handle: userHash(id), email: made.email, name: made.name };
  return creationOptions(party, user, made.challenge, credentialsOf(made.existing));
}

/**
 * Adds a passkey. If the user had no second factor, it ends the other sessions, which began without one.
 * @param session the secret of the session that remains
 * @returns undefined if the passkey is wrong, or an answer to no challenge of this user
 */
export async function createPasskey(
  service: Service,
  party: RelyingParty,
  { userId, session, by }: { readonly userId: number; readonly session: string; readonly by: Actor },
  { name, passkey }: PasskeyInput,
): Promise<Passkey | Problem | undefined> {
  const challenge = challengeOf(passkey);
  if (challenge === undefined) return undefined;
  if ((await useChallenge(service, 'registration', challenge)) !== userHash(userId)) return undefined;
  const credential = await verifyNew(party, passkey, challenge);
  if (!credential) return undefined;
  return changeOwnUser(service, userId, by, async (user, transaction) => {
    if (user.passkeys >= PASSKEYS_MAX) return tooMany();
    if (await findPasskey(service, credential.id, transaction)) return undefined;
    if (factorsOf(user).length === 0) await endSessionsOf(service, transaction, userId, session);
    await deleteTickets(service, transaction, userId);
    return insertPasskey(service, transaction, { userId, name, credential });
  });
}

async function insertPasskey(
  { statements, clock }: Service,
  transaction: Transaction,
  made: Pick<Passkey, 'userId' | 'name' | 'credential'>,
): Promise<Passkey> {
  const insert = statements.get(
    'insert passkey',
    ({ placeholder }) => sql`insert into ${TABLE}
      (user_id, name, credential_id, public_key, counter, transports, created)
      values (${placeholder(USER_ID)}, ${placeholder(param('name', 'text'))}, ${placeholder(CREDENTIAL_ID)},
        ${placeholder(param('public_key', 'text'))}, ${placeholder(COUNTER)},
        ${placeholder(param('transports', 'text'))}, ${placeholder(TIME)}) returning id`,
  );
  const { id, publicKey, counter, transports } = made.credential;
  const created = clock.now();
  const [row] = await transaction.run(insert, {
    ...{ user_id: made.userId, name: made.name, credential_id: id, public_key: publicKey, counter },
    ...{ transports: JSON.stringify(transports), time: created },
  });
  return { ...made, id: Number(row![0]), created, lastUsed: null };
}

/** @param guard decides whether the conditions of the request hold */
export function deletePasskey(
  service: Service,
  { userId, by }: { readonly userId: number; readonly by: Actor },
  id: number,
  guard: (passkey: Passkey) => Problem | undefined,
): Promise<Problem | undefined> {
  return changeOwnUser(service, userId, by, async (user, transaction) => {
    const found = (await readPasskeys(service, transaction, userId)).find((passkey) => passkey.id === id);
    if (!found) return unknownPasskey();
    const rejected = guard(found);
    if (rejected) return rejected;
    const remove = service.statements.get(
      'delete passkey',
      ({ placeholder }) => sql`delete from ${TABLE} where id = ${placeholder(ID)} returning 1`,
    );
    await transaction.run(remove, { id });
    if (user.passkeys === 1 && user.totp === null) await deleteRecoveryCodes(service, transaction, userId);
    await deleteTickets(service, transaction, userId);
    return undefined;
  });
}

export async function deletePasskeysOf(
  { statements }: Service,
  transaction: Transaction,
  userId: number,
): Promise<void> {
  const remove = statements.get(
    'delete passkeys of user',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)} returning 1`,
  );
  await transaction.run(remove, { user_id: userId });
}

/** A use of a passkey that has been asked for. */
export interface PasskeyUse {
  readonly purpose: Exclude<ChallengePurpose, 'registration'>;
  /** Whose passkey it must be; undefined if the passkey tells who signs in. */
  readonly userId?: number;
}

/**
 * Returns the options for the use of a passkey.
 * @param address of the client, or its group of addresses
 * @returns undefined if the user has no passkey
 */
export async function askForPasskey(
  service: Service,
  party: RelyingParty,
  use: PasskeyUse,
  address: string,
): Promise<JsonObject | undefined> {
  const { purpose, userId } = use;
  const allowed = userId === undefined ? [] : credentialsOf(await passkeysOf(service, userId));
  if (userId !== undefined && allowed.length === 0) return undefined;
  const subject = userId === undefined ? hashOf(`address ${address}`) : userHash(userId);
  const challenge = await service.database.transaction((transaction) =>
    insertChallenge(service, transaction, purpose, subject),
  );
  return requestOptions(party, challenge, { allowed, needsVerification: needsVerification(use) });
}

/** A password has been checked before a second factor. Otherwise the passkey is all that proves who the user is. */
function needsVerification({ purpose }: PasskeyUse): boolean {
  return purpose !== 'second_factor';
}

/** A passkey that a client has, as it was before this use. */
export interface ProvenPasskey extends Passkey {
  /** The counter of this use. */
  readonly counter: number;
}

/** Uses a challenge up. @returns undefined if the passkey is wrong, unknown, or of another user */
export async function provePasskey(
  service: Service,
  party: RelyingParty,
  passkey: JsonObject,
  use: PasskeyUse,
): Promise<ProvenPasskey | undefined> {
  const challenge = challengeOf(passkey);
  if (challenge === undefined || typeof passkey.id !== 'string') return undefined;
  const subject = await useChallenge(service, use.purpose, challenge);
  if (subject === undefined) return undefined;
  const found = await findPasskey(service, passkey.id);
  if (!found || !isOf(found, passkey, use, subject)) return undefined;
  const { credential } = found;
  const counter = await verifyUse(party, passkey, { credential, challenge, needsVerification: needsVerification(use) });
  return counter === undefined ? undefined : { ...found, counter };
}

/** Returns the user whose passkey a client names, without any proof; null if no user has it. */
export async function ownerOf(service: Service, { id }: JsonObject): Promise<number | null> {
  return typeof id === 'string' ? ((await findPasskey(service, id))?.userId ?? null) : null;
}

/** Whether a passkey is of the user for whom the challenge was, or of the user whom the authenticator names. */
function isOf({ userId }: Passkey, passkey: JsonObject, use: PasskeyUse, subject: string): boolean {
  const handle = userHash(userId);
  if (use.userId === undefined) return userHandleOf(passkey) === handle;
  return userId === use.userId && subject === handle && (userHandleOf(passkey) ?? handle) === handle;
}

/** Records a use. @returns whether the passkey still exists, and no other use with this counter came first */
export async function recordUse(
  { statements, clock }: Service,
  transaction: Transaction,
  { id, counter }: ProvenPasskey,
): Promise<boolean> {
  const update = statements.get(
    'record use of passkey',
    ({ placeholder }) => sql`update ${TABLE} set counter = ${placeholder(COUNTER)}, last_used = ${placeholder(TIME)}
      where id = ${placeholder(ID)} and (counter < ${placeholder(COUNTER)} or counter = 0) returning 1`,
  );
  return (await transaction.run(update, { id, counter, time: clock.now() })).length > 0;
}

async function readPasskeys({ statements }: Service, transaction: Transaction, userId: number): Promise<Passkey[]> {
  return (await transaction.run(listStatement(statements), { user_id: userId })).map(passkeyOf);
}

function listStatement(statements: Service['statements']) {
  return statements.get(
    'list passkeys',
    ({ placeholder }) => sql`select ${COLUMNS} from ${TABLE} where user_id = ${placeholder(USER_ID)} order by id`,
  );
}

async function findPasskey(
  { database, statements }: Service,
  credentialId: string,
  transaction?: Transaction,
): Promise<Passkey | undefined> {
  // PostgreSQL rejects texts with U+0000.
  if (!CREDENTIAL_ID_FORM.test(credentialId)) return undefined;
  const find = statements.get(
    'find passkey',
    ({ placeholder }) => sql`select ${COLUMNS} from ${TABLE} where credential_id = ${placeholder(CREDENTIAL_ID)}`,
  );
  const values = { credential_id: credentialId };
  const [row] = await (transaction ? transaction.run(find, values) : database.query(find, values));
  return row && passkeyOf(row);
}

function passkeyOf(row: Row): Passkey {
  const [id, userId, name, credentialId, publicKey, counter, transports, created, lastUsed] = row;
  const credential = {
    ...{ id: credentialId as string, publicKey: publicKey as string, counter: Number(counter) },
    transports: JSON.parse(transports as string) as readonly string[],
  };
  return {
    ...{ id: Number(id), userId: Number(userId), name: name as string, credential, created: Number(created) },
    lastUsed: lastUsed === null ? null : Number(lastUsed),
  };
}

function credentialsOf(passkeys: readonly Passkey[]): Credential[] {
  return passkeys.map(({ credential }) => credential);
}

function tooMany(): Problem {
  return problem('conflict', `You have ${PASSKEYS_MAX} passkeys. Delete one first.`);
}

export function unknownPasskey(): Problem {
  return problem('not-found', 'You have no passkey with this id. /users/me/passkeys lists all.');
}
