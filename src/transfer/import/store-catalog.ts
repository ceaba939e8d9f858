/** Implements `Catalog` with the API of a store. */
import type { Saved as ApiSaved, Filter, LineResult, StoreApi } from '../api/store-api.ts';
import type { Catalog, NameList, NameListKind, Saved, SavedProduct } from './catalog.ts';

/** Path and name field of each list. */
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

const VARIANTS = '/products/{product_id}/variants';
const CHOICES = '/products/{product_id}/attributes_select/{attribute_id}/values';

export function storeCatalog(api: StoreApi): Catalog {
  /** The parent of a category is a field and a filter; other lists have their parents in the path. */
  function nameList({ kind, parents }: NameList) {
    const { path, field } = NAME_LISTS[kind];
    if (kind !== 'categories') return { path, ids: parents, filter: {}, input: {}, field };
    const [parent] = parents;
    // Without a filter, the API lists the top level.
    const filter: Filter = parent === undefined ? {} : { parent };
    return { path, ids: [], filter, input: { parent: parent ?? null }, field };
  }

  return {
    async findProduct(sku) {
      for await (const record of api.list('/products', [], { sku })) return { id: record.id as number, record };
      return undefined;
    },
    async *saveProducts(inputs) {
      yield* savedLines(api.bulk('/products', inputs));
    },
    async addImage(product, image) {
      const added = await api.post('/products/{product_id}/images', [product], { ...image, once: true });
      return !added.ok && added.status === CONFLICT ? { ok: true, id: product, changed: false } : saved(added);
    },
    async readNames(names) {
      const { path, ids, filter, field } = nameList(names);
      const records = await Array.fromAsync(api.list(path, ids, filter));
      return records.map((record) => ({
        id: record.id as number,
        name: record[field] as string,
        position: (record.position as number | undefined) ?? 0,
      }));
    },
    async addName(names, name, position) {
      const { path, ids, input, field } = nameList(names);
      const body = { ...input, [field]: name, ...(UNORDERED.has(names.kind) ? {} : { position }) };
      return saved(await api.post(path, ids, body));
    },
    async categoryHas(category, product) {
      return (await api.find('/categories/{category_id}/products/{product_id}', [category, product])) !== undefined;
    },
    async addToCategory(category, product) {
      return saved(await api.post('/categories/{category_id}/products', [category], { product_id: product }));
    },
    async readChoices(...ids) {
      const records = await Array.fromAsync(api.list(CHOICES, ids));
      return records.map(({ id, option }) => ({ id: id as number, optionId: (option as { id: number }).id }));
    },
    async addChoice(product, attribute, option_id) {
      return saved(await api.post(CHOICES, [product, attribute], { option_id }));
    },
    async readVariants(product) {
      const records = await Array.fromAsync(api.list(VARIANTS, [product]));
      return records.map((record) => ({
        id: record.id as number,
        sku: record.sku as string | null,
        values: record.attribute_select_values as number[],
        hasImage: record.image !== null,
        record,
      }));
    },
    async *saveVariants(product, lines) {
      const inputs = lines.map(({ input }) => input);
      yield* savedLines(api.bulk(VARIANTS, inputs, { ids: [product] }));
    },
    async renameVariant(product, variant, sku) {
      return saved(await api.patch(`${VARIANTS}/{id}`, [product, variant], { sku }));
    },
    async setVariantImage(product, variant, { externalUrl, alt }) {
      return saved(await api.patch(`${VARIANTS}/{id}`, [product, variant], { image: { externalUrl, alt } }));
    },
    async removeChoice(product, attribute, id) {
      return (await api.remove(`${CHOICES}/{id}`, [product, attribute, id]))?.problems;
    },
  };
}

/** Lists whose records have no position. */
const UNORDERED: ReadonlySet<NameListKind> = new Set(['classes']);

/** The product has already been given this image. */
const CONFLICT = 409;

async function* savedLines(results: AsyncIterable<LineResult>): AsyncGenerator<SavedProduct> {
  for await (const { result, id, rejection } of results)
    yield rejection
      ? { ok: false, problems: rejection.problems }
      : { ok: true, id: id as number, outcome: result as 'created' | 'updated' | 'unchanged' };
}

function saved(result: ApiSaved): Saved {
  return result.ok ? { ok: true, id: result.id, changed: true } : { ok: false, problems: result.problems };
}
