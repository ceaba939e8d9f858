/** The fields that every request of a path needs, because its response or its choice of records depends on them (access.md §2). */
import {
  dataSubjectsOf,
  type Model,
  type ModelField,
  type ModelResource,
  type ModelRoute,
  PRIVACY_PATH,
  STATISTICS_PATH,
  type Uses,
} from '../engine/index.ts';
import { usedFields } from './derived-fields.ts';
import { familiesOf } from './families.ts';
import { routeAt } from './scopes.ts';

/** What the endpoints read that are not those of a resource. */
const ENDPOINT_USES: Readonly<Record<string, Uses>> = {
  [STATISTICS_PATH]: {
    Order: ['create_date', 'currency', 'total', 'payment_status', 'shipping_status', 'items'],
    OrderItem: ['amount', 'sku', 'name', 'product_id', 'discounted_subtotal'],
    Product: ['sku', 'name', 'amount', 'enabled', 'inventory_traceable'],
    Variant: ['sku', 'amount', 'default_amount'],
    PaymentStatus: ['code'],
    ShippingStatus: ['code'],
  },
  '/urls/resolve': { Product: ['clean_url', 'enabled'], Category: ['clean_url', 'enabled'] },
};

/** Families whose records an endpoint shows as a whole. */
const ENDPOINT_FAMILIES: Readonly<Record<string, readonly string[]>> = {
  '/feeds': ['products', 'categories', 'attributes'],
};

const PRIVACY_FAMILIES = ['profiles', 'orders'];

/** @param path below `/api`, with parameters in braces */
export function neededFields(model: Model, method: string, path: string): readonly ModelField[] {
  if (isPrivacy(model, path)) return [...ofFamilies(model, PRIVACY_FAMILIES), ...leadingToPersons(model)];
  const families = ENDPOINT_FAMILIES[path];
  if (families) return ofFamilies(model, families);
  const uses = ENDPOINT_USES[path];
  if (uses) return usedFields(model, uses);
  const checked = [...model.resources.values()].find(({ secretCheck }) => secretCheck?.path === path)?.secretCheck;
  if (checked)
    return [checked.by, checked.secret, ...named(checked.by.resource, Object.keys(checked.declaration.only))];
  const route = routeAt(model, path);
  if (!route) return [];
  return below(model, route, method, path.slice(path.lastIndexOf('/') + 1));
}

/** The fields of a view, an action, a quote or a file below a record. */
function below(model: Model, { resource }: ModelRoute, method: string, name: string): readonly ModelField[] {
  const { views, actions, declaration } = resource;
  const { quote, download } = declaration;
  const action = method === 'GET' ? undefined : actions.find((each) => each.name === name);
  if (action) return named(resource, action.shows === undefined ? [] : [action.shows]);
  const view = views.find((each) => each.name === name);
  if (view) return 'shows' in view ? named(resource, [view.shows]) : usedFields(model, view.uses ?? {});
  if (name === 'quote' && quote) return usedFields(model, quote.calculatedFrom);
  if (name === 'old_urls' || name === '{clean_url}') return named(resource, ['clean_url']);
  if (name !== 'file' || !download) return [];
  const { file, filename, mediaType, openWhere } = download;
  return named(resource, [file, filename, mediaType, ...Object.keys(openWhere)]);
}

/** The fields on the printed page of a record. */
export function printedFields(model: Model, resource: ModelResource): readonly ModelField[] {
  const { printed } = resource.declaration;
  const embedded = resource.outputs.flatMap(({ target }) => target?.outputs ?? []);
  return printed ? [...resource.outputs, ...embedded, ...usedFields(model, printed.uses)] : [];
}

function isPrivacy(model: Model, path: string): boolean {
  const item = dataSubjectsOf(model)?.routes[0]?.path;
  return ['export', 'erase'].some((name) => path === `${item}/${name}` || path === `${PRIVACY_PATH}/${name}`);
}

function ofFamilies(model: Model, families: readonly string[]): ModelField[] {
  return [...model.resources.values()]
    .filter((resource) =>
      familiesOf(model)
        .ofResource(resource)
        .some((family) => families.includes(family)),
    )
    .flatMap(({ fields }) => [...fields.values()]);
}

/** The fields by which an export finds the records of a person: links to the person, and all fields of personal records. */
function leadingToPersons({ resources }: Model): ModelField[] {
  return [...resources.values()].flatMap(({ fields, declaration }) =>
    [...fields.values()].filter(
      ({ target }) => declaration.personal === true || target?.declaration.dataSubject !== undefined,
    ),
  );
}

function named({ fields }: ModelResource, names: readonly string[]): ModelField[] {
  return names.flatMap((name) => fields.get(name) ?? []);
}
