/**
 * Assigns products to categories and attribute options. Creates missing categories, attributes and options; does not change
 * existing ones.
 */
import type { Catalog, NameList, Saved } from './catalog.ts';
import type { OptionRow } from './import-row.ts';
import type { Names } from './names.ts';

/** Adds the product to the last category of a path. Its other categories, chosen by the shop, remain. */
export async function assignCategory(
  catalog: Catalog,
  names: Names,
  productId: number,
  path: readonly string[],
): Promise<Saved> {
  let parents: number[] = [];
  for (const name of path) {
    const category = await names.findOrCreate({ kind: 'categories', parents }, name);
    if (!category.ok) return category;
    parents = [category.id];
  }
  const [id] = parents;
  if (id === undefined || (await catalog.categoryHas(id, productId))) return { ok: true, id: id ?? 0, changed: false };
  const added = await catalog.addToCategory(id, productId);
  return added.ok ? { ok: true, id, changed: true } : added;
}

/**
 * Makes the option's value the only one that the product has of the attribute with that name. The attribute belongs to the
 * product's class, or to the product if it has no class.
 */
export async function chooseOption(
  catalog: Catalog,
  names: Names,
  { productId, classId }: { productId: number; classId: number | undefined },
  { name, value }: OptionRow,
): Promise<Saved> {
  const attributes: NameList =
    classId === undefined
      ? { kind: 'attributes of product', parents: [productId] }
      : { kind: 'attributes of class', parents: [classId] };
  const attribute = await names.findOrCreate(attributes, name);
  if (!attribute.ok) return attribute;
  const options: NameList = {
    kind: classId === undefined ? 'options of product attribute' : 'options of class attribute',
    parents: [...attributes.parents, attribute.id],
  };
  const option = await names.findOrCreate(options, value);
  if (!option.ok) return option;

  const choices = await catalog.readChoices(productId, attribute.id);
  const others = choices.filter(({ optionId }) => optionId !== option.id);
  const isChosen = others.length < choices.length;
  if (!isChosen) {
    const added = await catalog.addChoice(productId, attribute.id, option.id);
    if (!added.ok) return added;
  }
  for (const { id } of others) {
    const problems = await catalog.removeChoice(productId, attribute.id, id);
    if (problems) return { ok: false, problems };
  }
  return { ok: true, id: option.id, changed: !isChosen || others.length > 0 };
}
