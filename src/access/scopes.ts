/** The scopes of the interface, and those that each operation needs, derived from declarations and paths (access.md §1). */
import {
  API_PATH,
  CHANGES_PATH,
  dataSubjectsOf,
  KEYS_PATH,
  LOOKUP_PATH,
  type Model,
  type ModelResource,
  type ModelRoute,
  PRIVACY_PATH,
  SCOPES_PATH,
  STATISTICS_PATH,
  type View,
} from '../engine/index.ts';
import { familiesOf } from './families.ts';

/** Staff accounts and their roles, below `/api`. */
export const USERS_PATH = '/users';
export const ROLES_PATH = '/roles';

/** Templates of mails, below `/api`. */
export const MAIL_TEMPLATES_PATH = '/mail_templates';

/** The audit, below `/api`. */
export const AUDIT_PATH = '/audit';

/** The audit of one record, and its restoration, below the path of the record. */
export const RECORD_AUDIT = '/audit';
export const RECORD_RESTORE = '/restore';

/** Paths of sessions below that of a user. */
const SESSIONS = ['/sessions', '/sessions/{session_id}'];

/** @param scope of all paths; undefined if every key may use them */
function pathsWith(
  scope: string | undefined,
  base: string,
  ends: readonly string[],
): Record<string, readonly string[]> {
  return Object.fromEntries(ends.map((end) => [`${base}${end}`, scope === undefined ? [] : [scope]]));
}

/** Paths that are not those of a resource, with the scopes of all their methods. Every key may use those without scopes. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  [CHANGES_PATH]: [],
  [LOOKUP_PATH]: [],
  [SCOPES_PATH]: [],
  [KEYS_PATH]: ['keys:manage'],
  [`${KEYS_PATH}/{id}`]: ['keys:manage'],
  ...pathsWith('roles:manage', ROLES_PATH, ['', '/{id}']),
  ...pathsWith('users:manage', USERS_PATH, [
    '',
    ...['', '/invite', '/reset_link', ...SESSIONS].map((at) => `/{id}${at}`),
  ]),
  ...pathsWith(undefined, `${USERS_PATH}/me`, [
    ...['', '/password', '/views', '/views/{id}', '/totp', '/recovery_codes', ...SESSIONS],
    ...['/passkeys', '/passkeys/{id}', '/passkeys/options'],
  ]),
  ...pathsWith('audit:read', AUDIT_PATH, ['', '/head', '/{id}', `/{id}${RECORD_RESTORE}`]),
  [STATISTICS_PATH]: ['statistics:read', 'orders:read', 'products:read'],
  '/feeds': ['feeds:read', 'products:read', 'categories:read', 'attributes:read'],
  '/urls/resolve': ['urls:read', 'products:read', 'categories:read'],
};

/** The scopes of these paths, with their descriptions. */
const ENDPOINT_SCOPES: Readonly<Record<string, string>> = {
  'keys:manage': 'List, create and revoke API keys.',
  'users:manage': 'List, create and change staff accounts, and end their sessions.',
  'roles:manage': 'List, create and change roles of staff accounts.',
  'audit:read': 'Read the audit.',
  'mail_templates:read': 'Read templates of mails.',
  'mail_templates:write': 'Change and preview templates of mails.',
  'statistics:read': 'Read statistics of the shop.',
  'feeds:read': 'Read the state of product feeds.',
  'urls:read': 'Resolve addresses of the shop.',
  'privacy:export': 'Export the personal data of a person.',
  'privacy:erase': 'Erase the personal data of a person.',
};

/** The families that an export of personal data shows, besides its own scope. */
const PRIVACY_READS = ['profiles:read', 'orders:read'];

const READING = new Set(['GET', 'HEAD']);

/** Returns the path below `/api`. @param url of a route, such as `/api/products/:id` */
export function pathOf(url: string): string {
  return url.slice(API_PATH.length).replace(/:(\w+)/g, '{$1}');
}

/**
 * Returns the scopes that every request of a method and path needs.
 *
 * @param path below `/api`, with parameters in braces
 * @returns undefined if no declaration gives the path a family
 */
export function requiredScopes(model: Model, method: string, path: string): readonly string[] | undefined {
  const own = ENDPOINTS[path] ?? privacyScopes(model, path) ?? secretCheckScopes(model, path);
  if (own) return own;
  if (path === MAIL_TEMPLATES_PATH || path.startsWith(`${MAIL_TEMPLATES_PATH}/`))
    return [READING.has(method) ? 'mail_templates:read' : 'mail_templates:write'];
  const audited = [RECORD_AUDIT, RECORD_RESTORE].find((end) => path.endsWith(end));
  if (audited) return auditScopes(model, method, path.slice(0, -audited.length));
  const families = familiesOf(model);
  const [family, ...others] = families.ofPath(path);
  if (family === undefined) return undefined;
  const isRead = READING.has(method);
  const route = routeAt(model, path);
  if (isRead && route?.resource.declaration.isOpen) return [];
  const shown = [...(route ? [route.resource] : []), ...shownAt(model, route, method, path)];
  const read = [...others, ...shown.flatMap((resource) => families.ofResource(resource))];
  const reads = new Set(read.map((each) => `${each}:read`));
  reads.delete(`${family}:read`);
  return [`${family}:${isRead ? 'read' : 'write'}`, ...reads];
}

/** The scopes of the path of a record, and that of the audit. */
function auditScopes(model: Model, method: string, path: string): readonly string[] | undefined {
  const scopes = requiredScopes(model, method, path);
  return scopes && [...scopes, 'audit:read'];
}

/** Returns the scopes that some requests of a method and path need: exports, and writes with a scope of their own. */
export function conditionalScopes(model: Model, method: string, path: string): readonly string[] {
  const route = routeAt(model, path);
  if (!route) return [];
  const isCollection = [route, ...route.aliases].some((at) => at.collectionPath === path && at.path !== path);
  if (method === 'GET')
    return isCollection && route.operations.has('list') ? [`${familiesOf(model).ofPath(path)[0]}:export`] : [];
  return method === 'DELETE' || path.endsWith('/quote') ? [] : [namedScope(model, route.resource) ?? []].flat();
}

/** The route of a record or collection, or the one below which an action, a view or the texts are. */
export function routeAt({ routes }: Model, path: string): ModelRoute | undefined {
  const forms = routes.flatMap((route) =>
    [route, ...route.aliases].flatMap((at) => [at.path, at.collectionPath].map((form) => ({ form, route }))),
  );
  const matching = forms.filter(({ form }) => path === form || path.startsWith(`${form}/`));
  return matching.sort((one, other) => other.form.length - one.form.length)[0]?.route;
}

/** The resources that a view reads, or that a view or an action shows instead of its record. */
function shownAt(model: Model, route: ModelRoute | undefined, method: string, path: string): ModelResource[] {
  if (!route) return [];
  const { resource } = route;
  const { views, actions, fields } = resource;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!READING.has(method)) {
    const { quote } = resource.declaration;
    if (quote && path.endsWith('/quote')) return usedBy(model, { uses: quote.calculatedFrom });
    const shows = actions.find((each) => each.name === name)?.shows;
    return shows === undefined ? [] : [fields.get(shows)!.target!];
  }
  const declared = views.find((each) => each.name === name);
  if (!declared) return [];
  return 'shows' in declared ? [fields.get(declared.shows)!.target!] : usedBy(model, declared);
}

/** The resources that a declared rule reads, besides its own and those that every key may read. */
export function usedBy({ resources }: Model, { uses = {} }: Pick<View, 'uses'>): ModelResource[] {
  const used = Object.keys(uses).flatMap((name) => resources.get(name) ?? []);
  return used.filter(({ declaration }) => !declaration.isOpen);
}

function privacyScopes(model: Model, path: string): readonly string[] | undefined {
  const item = dataSubjectsOf(model)?.routes[0]?.path;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path !== `${item}/${name}` && path !== `${PRIVACY_PATH}/${name}`) return undefined;
  if (name === 'export') return ['privacy:export', ...PRIVACY_READS];
  return name === 'erase' ? ['privacy:erase'] : undefined;
}

function secretCheckScopes({ resources }: Model, path: string): readonly string[] | undefined {
  for (const { secretCheck } of resources.values())
    if (secretCheck?.path === path) return [`${path.split('/')[1]}:${secretCheck.declaration.name}`];
  return undefined;
}

/** Returns the scope of the writes that a resource declares as its own operation. */
export function namedScope(model: Model, resource: ModelResource): string | undefined {
  const { namedWrite } = resource.declaration;
  return namedWrite && `${familiesOf(model).ofResource(resource)[0]}:${namedWrite.operation}`;
}

const known = new WeakMap<Model, ReadonlyMap<string, string>>();

/** Returns all scopes without wildcards, in code point order, with their descriptions. */
export function allScopes(model: Model): ReadonlyMap<string, string> {
  const scopes = known.get(model) ?? new Map(describedScopes(model).sort(([one], [other]) => (one < other ? -1 : 1)));
  known.set(model, scopes);
  return scopes;
}

function describedScopes(model: Model): [scope: string, description: string][] {
  const { all, ofPath } = familiesOf(model);
  const { routes, resources } = model;
  const listed = new Set(
    routes.filter(({ operations }) => operations.has('list')).map(({ collectionPath }) => ofPath(collectionPath)[0]),
  );
  const ofFamilies = all.flatMap((family): [string, string][] => [
    [`${family}:read`, `Read the paths of the family “${family}”.`],
    [`${family}:write`, `Change records of the family “${family}”.`],
    ...(listed.has(family)
      ? [[`${family}:export`, `Export collections of the family “${family}”.`] as [string, string]]
      : []),
  ]);
  const named = [...resources.values()].flatMap((resource): [string, string][] => {
    const { declaration, secretCheck } = resource;
    const scope = namedScope(model, resource);
    const [checkScope] = secretCheck ? secretCheckScopes(model, secretCheck.path)! : [];
    return [
      ...(scope === undefined ? [] : [[scope, declaration.namedWrite!.description] as [string, string]]),
      ...(checkScope === undefined ? [] : [[checkScope, `${secretCheck!.declaration.summary}.`] as [string, string]]),
    ];
  });
  return [...ofFamilies, ...named, ...Object.entries(ENDPOINT_SCOPES)];
}

/** Whether a scope of a key, possibly with wildcards, includes another one. */
export function covers(granted: string, scope: string): boolean {
  const [family, operation] = granted.split(':');
  const [ofFamily, toDo] = scope.split(':');
  // This export is an operation of its own, not that of a collection.
  const isOwn = scope === 'privacy:export' && operation !== '*';
  return ((family === '*' && !isOwn) || family === ofFamily) && (operation === '*' || operation === toDo);
}

/** Whether a key can have this scope: one of the interface, or one with a wildcard. */
export function isScope(model: Model, scope: string): boolean {
  const scopes = allScopes(model);
  if (scopes.has(scope) || scope === '*:*') return true;
  const [family, operation, ...rest] = scope.split(':');
  if (rest.length > 0 || (family !== '*' && operation !== '*')) return false;
  return [...scopes.keys()].some((each) => covers(scope, each));
}
