/**
 * Where a product stands in a catalog beside its own fields: its category, and what it has of the options that tell
 * it from its sisters. Missing categories, attributes and options are made on the way; existing ones are left alone.
 */
import type { Catalog, NameList, Saved } from './catalog.ts';
import type { OptionRow } from './import-row.ts';
import type { Names } from './names.ts';

/** Puts the product in the last category of the path. Other categories that show it stay: the shop chose them. */
export async function assignCategory(
  catalog: Catalog,
  names: Names,
  productId: number,
  path: readonly string[],
): Promise<Saved> {
  let parents: number[] = [];
  for (const name of path) {
    const category = await names.findOrMake({ kind: 'categories', parents }, name);
    if (!category.ok) return category;
    parents = [category.id];
  }
  const [id] = parents;
  if (id === undefined || (await catalog.categoryHas(id, productId)))
    return { ok: true, id: id ?? 0, changed: false };
  const added = await catalog.addToCategory(id, productId);
  return added.ok ? { ok: true, id, changed: true } : added;
}

/**
 * Makes the option's value the only one that the product has of the attribute of that name: of its class, or its own
 * where it has no class.
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
  const attribute = await names.findOrMake(attributes, name);
  if (!attribute.ok) return attribute;
  const options: NameList = {
    kind: classId === undefined ? 'options of product attribute' : 'options of class attribute',
    parents: [...attributes.parents, attribute.id],
  };
  const option = await names.findOrMake(options, value);
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
