/** Parses the bodies of users, roles and views (access.md §3). Invalid values are rejected, never guessed. */
import {
  dataSubjectsOf,
  type JsonObject,
  type Model,
  messages,
  type Problem,
  rejectUnknownField,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import { readList, readMasks, readName, readScopes, readText } from '../read-values.ts';
import type { RoleInput } from './roles.ts';
import type { UserInput } from './users.ts';
import type { ViewInput } from './views.ts';

/** The languages of the admin page; an empty text: that of the browser. */
const LANGUAGES = ['', 'en', 'de', 'fr', 'es'];

const STATUSES = ['active', 'disabled'];

const ROLES_MAX = 20;

/** Characters. */
const SCREEN_LENGTH_MAX = 64;
const QUERY_LENGTH_MAX = 4096;

const USER_OUTPUT = ['id', 'factors', 'last_sign_in_at', 'created_at'];

/** `create` and `replace` need all required fields, `patch` none. */
type Mode = 'create' | 'replace' | 'patch';

type Read = (value: unknown, violations: Violations) => unknown;

type Known = Readonly<Record<string, Read>>;

const USER_FIELDS: Known = {
  name: textOf(readName),
  role_ids: readRoleIds,
  language: choiceOf('language', LANGUAGES),
  status: choiceOf('status', STATUSES),
};

interface UserReading {
  /** Names of the fields that the request can set. */
  readonly fields: readonly string[];
  readonly required: readonly string[];
  readonly model: Model;
  readonly lenient: boolean;
}

function readUser<Input>(sent: JsonObject, { fields, required, model, lenient }: UserReading): Input | Problem {
  const all: Known = { email: emailOf(model), ...USER_FIELDS };
  const readOnly = [...USER_OUTPUT, ...Object.keys(all).filter((name) => !fields.includes(name))];
  const known = Object.fromEntries(fields.map((name) => [name, all[name]!]));
  const read = readFields(sent, known, { readOnly, required, lenient });
  if ('violations' in read) return validationFailed(read.violations.list);
  const { role_ids: roleIds, ...rest } = read.values;
  return { ...rest, ...(roleIds === undefined ? {} : { roleIds }) } as Input;
}

export function readNewUser(sent: JsonObject, model: Model, lenient: boolean): Omit<UserInput, 'status'> | Problem {
  const fields = ['email', 'name', 'role_ids', 'language'];
  const required = ['email', 'name', 'role_ids'];
  return readUser({ language: '', ...sent }, { fields, required, model, lenient });
}

export function readUserChange(sent: JsonObject, model: Model, lenient: boolean): Partial<UserInput> | Problem {
  return readUser(sent, { fields: ['email', ...Object.keys(USER_FIELDS)], required: [], model, lenient });
}

/** What users change of their own accounts. */
export function readOwnChange(
  sent: JsonObject,
  model: Model,
  lenient: boolean,
): Partial<Pick<UserInput, 'name' | 'language'>> | Problem {
  return readUser(sent, { fields: ['name', 'language'], required: [], model, lenient });
}

export function readRole<M extends Mode>(
  sent: JsonObject,
  mode: M,
  model: Model,
  lenient: boolean,
): (M extends 'patch' ? Partial<RoleInput> : RoleInput) | Problem {
  const known: Known = {
    name: textOf(readName),
    scopes: (value, violations) => readScopes(value, model, violations),
    masks: (value, violations) => readMasks(value, model, violations),
  };
  const required = mode === 'patch' ? [] : ['name', 'scopes'];
  const read = readFields(sent, known, { readOnly: ['id', 'preset'], required, lenient });
  if ('violations' in read) return validationFailed(read.violations.list);
  // PUT and POST without masks: the role hides no field.
  return { ...(mode === 'patch' ? {} : { masks: [] }), ...read.values } as unknown as RoleInput;
}

const VIEW_FIELDS: Known = {
  name: textOf(readName),
  screen: textOf((value, violations) => readText('screen', value, { lengthMax: SCREEN_LENGTH_MAX }, violations)),
  query: textOf((value, violations) =>
    readText('query', value, { lengthMax: QUERY_LENGTH_MAX, mayBeBlank: true }, violations),
  ),
};

export function readNewView(sent: JsonObject, lenient: boolean): ViewInput | Problem {
  return readView(sent, Object.keys(VIEW_FIELDS), lenient);
}

export function readViewChange(sent: JsonObject, lenient: boolean): Partial<ViewInput> | Problem {
  return readView(sent, [], lenient);
}

function readView<Input>(sent: JsonObject, required: readonly string[], lenient: boolean): Input | Problem {
  const read = readFields(sent, VIEW_FIELDS, { readOnly: ['id'], required, lenient });
  return 'violations' in read ? validationFailed(read.violations.list) : (read.values as Input);
}

function readFields(
  sent: JsonObject,
  known: Known,
  { readOnly, required, lenient }: { readOnly: readonly string[]; required: readonly string[]; lenient: boolean },
): { readonly values: Record<string, unknown> } | { readonly violations: Violations } {
  const violations = new Violations();
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const read = Object.hasOwn(known, name) ? known[name] : undefined;
    if (read) values[name] = read(value, violations);
    else if (lenient) continue;
    else if (readOnly.includes(name)) violations.add(name, 'read_only', 'This field is read-only. Leave it out.');
    else rejectUnknownField('', name, withoutSynonyms(Object.keys(known)), violations);
  }
  for (const name of required) if (!Object.hasOwn(sent, name)) violations.add(name, 'required', messages.blank);
  return violations.list.length > 0 ? { violations } : { values };
}

function textOf(check: (value: unknown, violations: Violations) => void) {
  return (value: unknown, violations: Violations): unknown => {
    check(value, violations);
    return value;
  };
}

/** Parses a body with an e-mail address only. */
export function readEmail(sent: JsonObject, model: Model): string | Problem {
  const known = { email: emailOf(model) };
  const read = readFields(sent, known, { readOnly: [], required: ['email'], lenient: false });
  return 'violations' in read ? validationFailed(read.violations.list) : (read.values.email as string);
}

/** E-mail addresses have the form of the names with which customers log in. */
function emailOf(model: Model): Read {
  const { declaration, fields } = dataSubjectsOf(model)!;
  const { field } = fields.get(declaration.dataSubject!.named)!;
  return (value, violations) => {
    if (value === null) violations.add('email', 'null', messages.null);
    else field.read(value, 'email', violations, undefined as never);
    return value;
  };
}

function choiceOf(name: string, choices: readonly string[]) {
  return (value: unknown, violations: Violations): unknown => {
    if (typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
    else if (!choices.includes(value)) violations.add(name, 'choice', messages.choice(choices));
    return value;
  };
}

/** @returns the ids as a set, in ascending order */
function readRoleIds(value: unknown, violations: Violations): unknown {
  const ids = readList('role_ids', value, { countMin: 1, countMax: ROLES_MAX }, violations);
  for (const [index, id] of ids.entries())
    if (!Number.isSafeInteger(id)) violations.add(`role_ids[${index}]`, 'type', messages.type('integer'));
  return [...new Set(ids as readonly number[])].sort((one, other) => one - other);
}
