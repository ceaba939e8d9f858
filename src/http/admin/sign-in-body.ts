/** Parses the body of a sign-in: one of four combinations of members (http.md §20). */
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
  | { readonly by: 'link'; readonly token: string; readonly password: string };

const MEMBERS = ['key', 'token', 'email', 'password'];

export function readSignIn(sent: JsonObject): SignIn | Problem {
  const violations = new Violations();
  const { key, token, email, password, ...others } = sent;
  for (const name of Object.keys(others)) rejectUnknownField('', name, withoutSynonyms(MEMBERS), violations);
  for (const [name, value] of Object.entries({ key, token, email, password })) {
    if (value !== undefined && typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
    if (value === '') violations.add(name, 'blank', messages.blank);
  }
  const [first, second] = [key, token, email].filter((value) => value !== undefined);
  if (second !== undefined) violations.add('token', 'conflict', 'Send only one of “key”, “token” and “email”.');
  else if (first === undefined) violations.add(password === undefined ? 'key' : 'email', 'required', messages.blank);
  else if (email !== undefined && password === undefined) violations.add('password', 'required', messages.blank);
  else if (key !== undefined && password !== undefined)
    violations.add('password', 'conflict', 'Send either a key or a password, not both.');
  if (violations.list.length > 0) return validationFailed(violations.list);
  if (key !== undefined) return { by: 'key', key: key as string };
  if (email !== undefined) return { by: 'password', email: email as string, password: password as string };
  if (password !== undefined) return { by: 'link', token: token as string, password: password as string };
  return { by: 'token', token: token as string };
}
