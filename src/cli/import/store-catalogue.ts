/** The catalogue that an import writes to: the store itself, through its own operations, in its default language. */
import { sql } from 'kysely';
import { isProblem, type Problem } from '../../engine/errors.ts';
import { ITEMS_PER_PAGE_MAX, type ListIntent, readListIntent } from '../../engine/intent.ts';
import type { ModelPlace } from '../../engine/model.ts';
import { create } from '../../engine/operations/create.ts';
import { list } from '../../engine/operations/list.ts';
import { read } from '../../engine/operations/read.ts';
import { remove } from '../../engine/operations/remove.ts';
import { update } from '../../engine/operations/update.ts';
import { Slot } from '../../engine/ports.ts';
import type { ShownRecord } from '../../engine/resource.ts';
import type { Found, Request, Service } from '../../engine/service.ts';
import { ownRequest, placeOf } from '../requests.ts';
import type { Catalogue, NameList, NameListKind, Saved } from './catalogue.ts';
import { IMPORTED_IMAGES } from './imported-images.ts';

const TABLE = sql.table(IMPORTED_IMAGES.name);
const PRODUCT = new Slot('product', 'integer');
const ADDRESS = new Slot('address', 'text');

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
      request: ownRequest(place, language, { parents: isTree ? [] : [...parents] }),
      query: isTree && above !== undefined ? `parent=${above}` : '',
      input: isTree ? { parent: above ?? null } : {},
      field,
      hasPositions: place.fields.has('position'),
    };
  }

  return {
    async findProduct(sku) {
      const intent = listIntent(service, products, `sku=${encodeURIComponent(sku)}`);
      const page = await list(service, ownRequest(products, language), intent);
      const record = isProblem(page) ? undefined : page.records[0];
      return record && { id: record.id as number, record };
    },
    async createProduct(input) {
      return saved(await create(service, ownRequest(products, language), input), true);
    },
    async updateProduct(id, input) {
      const request = ownRequest(products, language, { id });
      const before = await read(service, request);
      const after = await update(service, request, 'patch', input);
      return saved(after, isProblem(before) || isProblem(after) || before.version !== after.version);
    },
    async imageKnown(product, address) {
      const select = service.statements.get(
        'imported image',
        ({ place }) => sql`select 1 from ${TABLE} where product_id = ${place(PRODUCT)} and address = ${place(ADDRESS)}`,
      );
      return (await service.database.query(select, { product, address })).length > 0;
    },
    async addImage(product, image) {
      const remember = service.statements.get(
        'remember imported image',
        ({ place }) =>
          sql`insert into ${TABLE} (product_id, address) values (${place(PRODUCT)}, ${place(ADDRESS)}) on conflict do nothing`,
      );
      const request = ownRequest(images, language, { parents: [product] });
      const added = await create(
        service,
        {
          ...request,
          alongside: async (transaction) => {
            await transaction.run(remember, { product, address: image.externalUrl });
          },
        },
        image,
      );
      return saved(added, true);
    },
    async readNames(names) {
      const { request, query, field } = nameList(names);
      const records = await everyRecord(service, request, query);
      return records.map((record) => ({
        id: record.id as number,
        name: record[field] as string,
        position: (record.position as number | undefined) ?? 0,
      }));
    },
    async addName(names, name, position) {
      const { request, input, field, hasPositions } = nameList(names);
      const body = { ...input, [field]: name, ...(hasPositions ? { position } : {}) };
      return saved(await create(service, request, body), true);
    },
    async categoryHas(category, product) {
      const request = ownRequest(categoryProducts, language, { parents: [category], id: product });
      return !isProblem(await read(service, request));
    },
    async addToCategory(category, product) {
      const request = ownRequest(categoryProducts, language, { parents: [category] });
      return saved(await create(service, request, { product_id: product }), true);
    },
    async readChoices(...parents) {
      const records = await everyRecord(service, ownRequest(choices, language, { parents }), '');
      return records.map(({ id, option }) => ({
        id: id as number,
        optionId: (option as unknown as { id: number }).id,
      }));
    },
    async addChoice(product, attribute, option_id) {
      const request = ownRequest(choices, language, { parents: [product, attribute] });
      return saved(await create(service, request, { option_id }), true);
    },
    async removeChoice(product, attribute, id) {
      await remove(service, ownRequest(choices, language, { parents: [product, attribute], id }));
    },
  };
}

/** All pages of a collection; none where the path leads nowhere. */
async function everyRecord(service: Service, request: Request, query: string): Promise<ShownRecord[]> {
  const intent = listIntent(service, request.place, query);
  const records: ShownRecord[] = [];
  for (let number = 1; ; number += 1) {
    const page = await list(service, request, { ...intent, page: number, itemsPerPage: ITEMS_PER_PAGE_MAX });
    if (isProblem(page)) return [];
    records.push(...page.records);
    if (page.records.length < ITEMS_PER_PAGE_MAX) return records;
  }
}

/** @param query known parameters only */
function listIntent({ world }: Service, place: ModelPlace, query: string): ListIntent {
  return readListIntent(place, query, world, false) as ListIntent;
}

function saved(result: Found | Problem, changed: boolean): Saved {
  if (!isProblem(result)) return { ok: true, id: result.record.id as number, changed };
  const problems = result.violations?.map(({ propertyPath, message }) => ({ path: propertyPath, message }));
  return { ok: false, problems: problems ?? [{ path: '', message: result.detail }] };
}
