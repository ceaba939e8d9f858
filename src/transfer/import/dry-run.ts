/**
 * A catalogue that reads the real one and writes and downloads nothing: it answers what a write would. It promises
 * nothing about what only the store's own checks or a download can find out.
 */
import { nameMatch } from '../../engine/text-forms.ts';
import type { Catalogue, Saved } from './catalog.ts';

export function dryRun(catalogue: Catalogue): Catalogue {
  /** Images that a product has and no image of the file was taken for yet. */
  const imagesLeft = new Map<number, number>();
  /** Ids of what would have been made count down from here; the store's own begin at 1. */
  let lastId = 0;
  const nextId = (): number => {
    lastId -= 1;
    return lastId;
  };
  const wouldMake = async () => saved(nextId(), true);
  return {
    findProduct: (sku) => catalogue.findProduct(sku),
    async *saveProducts(inputs) {
      for await (const input of inputs) {
        const stored = await catalogue.findProduct(input.sku);
        if (stored) imagesLeft.set(stored.id, (stored.record.images as unknown[] | undefined)?.length ?? 0);
        if (stored) yield { ok: true, id: stored.id, outcome: differs(stored.record, input) ? 'updated' : 'unchanged' };
        else yield { ok: true, id: nextId(), outcome: 'created' };
      }
    },
    async addImage(id) {
      // Which addresses a product was given is known to the store alone, and only when it is asked to add one.
      const left = imagesLeft.get(id) ?? 0;
      imagesLeft.set(id, left - 1);
      return left > 0 ? saved(id, false) : wouldMake();
    },
    readNames: async (list) => (list.parents.every(isStored) ? catalogue.readNames(list) : []),
    addName: wouldMake,
    categoryHas: async (...ids) => ids.every(isStored) && (await catalogue.categoryHas(...ids)),
    addToCategory: wouldMake,
    readChoices: async (...ids) => (ids.every(isStored) ? catalogue.readChoices(...ids) : []),
    addChoice: wouldMake,
    removeChoice: async () => undefined,
    readVariants: async (id) => (isStored(id) ? catalogue.readVariants(id) : []),
    async *saveVariants(_, lines) {
      for (const { stored, input } of lines)
        if (stored) yield { ok: true, id: stored.id, outcome: differs(stored.record, input) ? 'updated' : 'unchanged' };
        else yield { ok: true, id: nextId(), outcome: 'created' };
    },
    renameVariant: wouldMake,
    setVariantImage: wouldMake,
  };
}

function isStored(id: number): boolean {
  return id > 0;
}

function saved(id: number, changed: boolean): Saved {
  return { ok: true, id, changed };
}

/** Fields that take names and show records with names. */
const NAME_FIELDS: ReadonlySet<string> = new Set(['tags', 'product_class']);

function differs(record: Readonly<Record<string, unknown>>, input: Record<string, unknown>): boolean {
  return Object.entries(input).some(([field, value]) =>
    NAME_FIELDS.has(field) ? namesOf(record[field]) !== namesOf(value) : record[field] !== value,
  );
}

/** `'Outdoor'`, `{ id, name: 'Outdoor' }`, null, or a list of such, as one text that is equal for equal sets of names. */
function namesOf(value: unknown): string {
  const names = [value ?? []].flat().map((item) => (typeof item === 'string' ? item : (item as { name: string }).name));
  return JSON.stringify(names.map(nameMatch).sort());
}
