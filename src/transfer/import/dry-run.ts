/**
 * A catalog for dry runs: reads the real one, predicts the results of writes, and neither writes nor downloads. It cannot
 * predict rejections by the store or failed downloads.
 */
import { nameMatch } from '../../engine/text-forms.ts';
import type { Catalog, Saved } from './catalog.ts';

export function dryRun(catalog: Catalog): Catalog {
  /** By product: how many of its images have not been matched with an image of the file. */
  const imagesLeft = new Map<number, number>();
  /** Identifiers of records that would be created count down from 0; those of the store begin at 1. */
  let lastId = 0;
  const nextId = (): number => {
    lastId -= 1;
    return lastId;
  };
  const wouldCreate = async () => saved(nextId(), true);
  return {
    findProduct: (sku) => catalog.findProduct(sku),
    async *saveProducts(inputs) {
      for await (const input of inputs) {
        const stored = await catalog.findProduct(input.sku);
        if (stored) imagesLeft.set(stored.id, (stored.record.images as unknown[] | undefined)?.length ?? 0);
        if (stored) yield { ok: true, id: stored.id, outcome: differs(stored.record, input) ? 'updated' : 'unchanged' };
        else yield { ok: true, id: nextId(), outcome: 'created' };
      }
    },
    async addImage(id) {
      // The API does not show which addresses the images of a product came from, so they are only counted.
      const left = imagesLeft.get(id) ?? 0;
      imagesLeft.set(id, left - 1);
      return left > 0 ? saved(id, false) : wouldCreate();
    },
    readNames: async (list) => (list.parents.every(isStored) ? catalog.readNames(list) : []),
    addName: wouldCreate,
    categoryHas: async (...ids) => ids.every(isStored) && (await catalog.categoryHas(...ids)),
    addToCategory: wouldCreate,
    readChoices: async (...ids) => (ids.every(isStored) ? catalog.readChoices(...ids) : []),
    addChoice: wouldCreate,
    removeChoice: async () => undefined,
    readVariants: async (id) => (isStored(id) ? catalog.readVariants(id) : []),
    async *saveVariants(_, lines) {
      for (const { stored, input } of lines)
        if (stored) yield { ok: true, id: stored.id, outcome: differs(stored.record, input) ? 'updated' : 'unchanged' };
        else yield { ok: true, id: nextId(), outcome: 'created' };
    },
    renameVariant: wouldCreate,
    setVariantImage: wouldCreate,
  };
}

function isStored(id: number): boolean {
  return id > 0;
}

function saved(id: number, changed: boolean): Saved {
  return { ok: true, id, changed };
}

/** Fields that accept names in input and contain records with names in output. */
const NAME_FIELDS: ReadonlySet<string> = new Set(['tags', 'product_class']);

function differs(record: Readonly<Record<string, unknown>>, input: Record<string, unknown>): boolean {
  return Object.entries(input).some(([field, value]) =>
    NAME_FIELDS.has(field) ? namesOf(record[field]) !== namesOf(value) : record[field] !== value,
  );
}

/** Returns a text that is equal for equal sets of names. @param value a name, `{ id, name }`, null, or a list of these */
function namesOf(value: unknown): string {
  const names = [value ?? []].flat().map((item) => (typeof item === 'string' ? item : (item as { name: string }).name));
  return JSON.stringify(names.map(nameMatch).sort());
}
