/** Parses the bodies of a sign-in and of the confirmation of a session (http.md §20). */
import {
  type JsonObject,
  messages,
  type Problem,
  rejectUnknownField,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';

export type SignIn =
  | { readonly by: 'key'; readonly key: string }
  | { readonly by: 'token'; readonly token: string }
  | { readonly by: 'password'; readonly email: string; readonly password: string }
  | { readonly by: 'link'; readonly token: string; readonly password: string }
  | { readonly by: 'code'; readonly ticket: string; readonly code: string }
  | { readonly by: 'passkey'; readonly passkey: JsonObject; readonly ticket?: string };

/** What a client knows, and what can be sent with it. A passkey can also be sent alone. */
const PROOFS = { key: [], token: ['password'], email: ['password'], ticket: ['code', 'passkey'], passkey: [] } as const;

type Proof = keyof typeof PROOFS;

const ADDED = ['password', 'code', 'passkey'] as const;

/** @param takesPasskeys whether the store has passkeys; otherwise they are an unknown member */
export function readSignIn(sent: JsonObject, takesPasskeys: boolean): SignIn | Problem {
  const known = [...Object.keys(PROOFS), ...ADDED].filter((name) => takesPasskeys || name !== 'passkey');
  const violations = readMembers(sent, known);
  const isAlone = (name: Proof): boolean => name !== 'passkey' || sent.ticket === undefined;
  const [first, second] = (Object.keys(PROOFS) as Proof[]).filter((name) => sent[name] !== undefined && isAlone(name));
  if (second !== undefined)
    violations.add(second, 'conflict', 'Send only one of “key”, “token”, “email”, “ticket” and “passkey”.');
  else if (first === undefined) violations.add(missingProof(sent), 'required', messages.blank);
  else rejectAdded(sent, first, violations);
  if (violations.list.length > 0) return validationFailed(violations.list);
  return signInOf(sent);
}

/** Whether each member is a text that is not blank; a passkey is an object. */
function readMembers(sent: JsonObject, members: readonly string[]): Violations {
  const violations = new Violations();
  for (const [name, value] of Object.entries(sent)) {
    if (!members.includes(name)) rejectUnknownField('', name, withoutSynonyms(members), violations);
    else if (name === 'passkey') rejectNoObject(name, value, violations);
    else if (typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
    else if (value === '') violations.add(name, 'blank', messages.blank);
  }
  return violations;
}

function rejectNoObject(name: string, value: unknown, violations: Violations): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    violations.add(name, 'type', messages.type('object'));
}

function missingProof({ password, code }: JsonObject): Proof {
  if (code !== undefined) return 'ticket';
  return password === undefined ? 'key' : 'email';
}

function rejectAdded(sent: JsonObject, proof: Proof, violations: Violations): void {
  const allowed: readonly string[] = PROOFS[proof];
  const added = ADDED.filter((name) => sent[name] !== undefined && name !== proof);
  for (const name of added)
    if (!allowed.includes(name)) violations.add(name, 'conflict', `“${proof}” is not sent together with “${name}”.`);
  const [needed] = allowed;
  const [first, second] = added.filter((name) => allowed.includes(name));
  if (needed !== undefined && proof !== 'token' && first === undefined)
    violations.add(needed, 'required', messages.blank);
  if (second !== undefined) violations.add(second, 'conflict', 'Send only one of “code” and “passkey”.');
}

function signInOf({ passkey, ...sent }: JsonObject): SignIn {
  const { key, token, email, password, ticket, code } = sent as Readonly<Record<string, string>>;
  if (passkey !== undefined)
    return { by: 'passkey', passkey: passkey as JsonObject, ...(ticket === undefined ? {} : { ticket }) };
  if (key !== undefined) return { by: 'key', key };
  if (ticket !== undefined) return { by: 'code', ticket, code: code! };
  if (email !== undefined) return { by: 'password', email, password: password! };
  return password === undefined ? { by: 'token', token: token! } : { by: 'link', token: token!, password };
}

/** How the client of a session proves its identity again. */
export type Confirmation =
  | { readonly by: 'key'; readonly key: string }
  | { readonly by: 'password'; readonly password: string }
  | { readonly by: 'code'; readonly code: string }
  | { readonly by: 'passkey'; readonly passkey: JsonObject };

/**
 * @param user of the session; undefined for the session of a key
 * @param takesPasskeys whether the store has passkeys
 */
export function readConfirmation(
  sent: JsonObject,
  user: { readonly factors: readonly string[] } | undefined,
  takesPasskeys: boolean,
): Confirmation | Problem {
  const members = [...(['password', 'code', 'key'] as const), ...(takesPasskeys ? (['passkey'] as const) : [])];
  const violations = readMembers(sent, members);
  const allowed = user ? ['password', ...proofsOf(user, takesPasskeys)] : ['key'];
  const [first, second] = members.filter((name) => sent[name] !== undefined);
  if (first === undefined) violations.add(allowed[0]!, 'required', messages.blank);
  else if (second !== undefined)
    violations.add(second, 'conflict', `Send only one of ${members.map(quoted).join(', ')}.`);
  else if (!allowed.includes(first))
    violations.add(first, 'conflict', `This session is confirmed with ${allowed.map(quoted).join(' or ')}.`);
  if (violations.list.length > 0) return validationFailed(violations.list);
  return { by: first, [first!]: sent[first!] } as unknown as Confirmation;
}

function proofsOf({ factors }: { readonly factors: readonly string[] }, takesPasskeys: boolean): string[] {
  return [
    ...(factors.includes('totp') ? ['code'] : []),
    ...(takesPasskeys && factors.includes('passkey') ? ['passkey'] : []),
  ];
}

function quoted(name: string): string {
  return `“${name}”`;
}
