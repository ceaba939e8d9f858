/** The catalogue that an import writes to: the store itself, through its own operations, in its default language. */
import {
  type Caller,
  committed,
  ITEMS_PER_PAGE_MAX,
  inUnit,
  isProblem,
  type ListIntent,
  list,
  type ModelPlace,
  type Problem,
  read,
  readListIntent,
  remove,
  type Service,
  type ShownRecord,
  save,
  type Target,
  type Versioned,
} from '../../engine/index.ts';
import { isImported, rememberImport } from '../../store/imported-images.ts';
import { ownCaller, placeOf, targetAt } from '../../store/own-requests.ts';
import type { Catalogue, NameList, NameListKind, Saved } from './catalogue.ts';

/** Where the lists of names stand in the API, and the field that holds the name. */
const NAME_LISTS: Readonly<Record<NameListKind, { path: string; field: string }>> = {
  categories: { path: '/categories', field: 'name' },
  classes: { path: '/product_classes', field: 'name' },
  'attributes of class': { path: '/product_classes/{class_id}/attributes_select', field: 'name' },
  'attributes of product': { path: '/products/{product_id}/attributes_select', field: 'name' },
  'options of class attribute': {
    path: '/product_classes/{class_id}/attributes_select/{attribute_id}/options',
    field: 'value',
  },
  'options of product attribute': {
    path: '/products/{product_id}/attributes_select/{attribute_id}/options',
    field: 'value',
  },
};

export function storeCatalogue(service: Service, language: string): Catalogue {
  const caller = ownCaller(language);
  const products = placeOf(service, 'Product');
  const images = placeOf(service, 'ProductImage');
  const categoryProducts = placeOf(service, 'CategoryProduct');
  const choices = placeOf(service, 'AttributeValueSelect');

  /** Categories name the one above in a field and a filter; the others by their path. */
  function nameList({ kind, parents }: NameList) {
    const { path, field } = NAME_LISTS[kind];
    const place = service.model.places.find(({ collectionPath }) => collectionPath === path)!;
    const isTree = kind === 'categories';
    const [above] = parents;
    return {
      target: targetAt(place, { parents: isTree ? [] : [...parents] }),
      query: isTree && above !== undefined ? `parent=${above}` : '',
      input: isTree ? { parent: above ?? null } : {},
      field,
      hasPositions: place.fields.has('position'),
    };
  }

  return {
    async findProduct(sku) {
      const intent = listIntent(service, products, `sku=${encodeURIComponent(sku)}`);
      const page = await list(service, caller, targetAt(products), intent);
      const record = isProblem(page) ? undefined : page.records[0];
      return record && { id: record.id as number, record };
    },
    async createProduct(input) {
      return saved(await save(service, caller, targetAt(products), 'create', input), true);
    },
    async updateProduct(id, input) {
      const target = targetAt(products, { id });
      const before = await read(service, caller, target);
      const after = await save(service, caller, target, 'patch', input);
      return saved(after, isProblem(before) || isProblem(after) || before.version !== after.version);
    },
    async imageKnown(product, address) {
      return isImported(committed(service, caller), product, address);
    },
    async addImage(product, image) {
      const target = targetAt(images, { parents: [product] });
      const added = await save(service, caller, target, 'create', image, {}, async (unit, saving) => {
        const made = await saving();
        if (isProblem(made)) return made;
        await rememberImport(unit, product, image.externalUrl);
        return made;
      });
      return saved(added, true);
    },
    async readNames(names) {
      const { target, query, field } = nameList(names);
      const records = await everyRecord(service, caller, target, query);
      return records.map((record) => ({
        id: record.id as number,
        name: record[field] as string,
        position: (record.position as number | undefined) ?? 0,
      }));
    },
    async addName(names, name, position) {
      const { target, input, field, hasPositions } = nameList(names);
      const body = { ...input, [field]: name, ...(hasPositions ? { position } : {}) };
      return saved(await save(service, caller, target, 'create', body), true);
    },
    async categoryHas(category, product) {
      const target = targetAt(categoryProducts, { parents: [category], id: product });
      return !isProblem(await read(service, caller, target));
    },
    async addToCategory(category, product) {
      const target = targetAt(categoryProducts, { parents: [category] });
      return saved(await save(service, caller, target, 'create', { product_id: product }), true);
    },
    async readChoices(...parents) {
      const records = await everyRecord(service, caller, targetAt(choices, { parents }), '');
      return records.map(({ id, option }) => ({
        id: id as number,
        optionId: (option as unknown as { id: number }).id,
      }));
    },
    async addChoice(product, attribute, option_id) {
      const target = targetAt(choices, { parents: [product, attribute] });
      return saved(await save(service, caller, target, 'create', { option_id }), true);
    },
    async removeChoice(product, attribute, id) {
      const target = targetAt(choices, { parents: [product, attribute], id });
      await inUnit(service, caller, (unit) => remove(unit, target));
    },
  };
}

/** All pages of a collection; none where the path leads nowhere. */
async function everyRecord(service: Service, caller: Caller, target: Target, query: string): Promise<ShownRecord[]> {
  const intent = listIntent(service, target.place, query);
  const records: ShownRecord[] = [];
  for (let number = 1; ; number += 1) {
    const page = await list(service, caller, target, { ...intent, page: number, itemsPerPage: ITEMS_PER_PAGE_MAX });
    if (isProblem(page)) return [];
    records.push(...page.records);
    if (page.records.length < ITEMS_PER_PAGE_MAX) return records;
  }
}

/** @param query known parameters only */
function listIntent({ world }: Service, place: ModelPlace, query: string): ListIntent {
  return readListIntent(place, query, world, false) as ListIntent;
}

function saved(result: Versioned | Problem, changed: boolean): Saved {
  if (!isProblem(result)) return { ok: true, id: result.record.id as number, changed };
  const problems = result.violations?.map(({ propertyPath, message }) => ({ path: propertyPath, message }));
  return { ok: false, problems: problems ?? [{ path: '', message: result.detail }] };
}
