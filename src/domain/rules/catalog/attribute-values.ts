/** The four kinds of attribute value share these: their places, modifiers, and the chosen option (catalog.md §10). */

import {
  choice,
  type Draft,
  decimal,
  type Field,
  flag,
  integer,
  link,
  partOf,
  type Reads,
  type Route,
  reference,
  rules,
  type Value,
} from '../../../engine/vocabulary.ts';
import { attributeOfProduct, type Kind } from './attribute-scopes.ts';
import { selectValueInUse, USES_OF_VALUES_IN_USE } from './variants-in-use.ts';

/** The product that has the value, and the attribute that it is a value of. */
export function valueOwners(): Record<string, Field> {
  return {
    product: partOf('Product'),
    attribute: reference({ to: 'Attribute', groups: [], onDelete: 'cascade' }),
  };
}

const MODIFIER_TYPES = ['absolute', 'percent'];

/** How a value changes the product's price and weight. */
export function modifiers(): Record<string, Field> {
  return {
    price_modifier: decimal({ description: 'May be negative.' }),
    price_modifier_type: choice(MODIFIER_TYPES, { default: 'percent' }),
    weight_modifier: decimal({ description: 'May be negative.' }),
    weight_modifier_type: choice(MODIFIER_TYPES, { default: 'percent' }),
    is_default: flag(),
  };
}

export function valueRoute(kind: Kind, route: Omit<Route, 'path' | 'parents' | 'admission'>): Route {
  return {
    ...route,
    path: `/products/{product_id}/attributes_${kind}/{attribute_id}/values${route.single ? '' : '/{id}'}`,
    parents: { product_id: 'product', attribute_id: 'attribute' },
    admission: attributeOfProduct(kind),
  };
}

/** The chosen option: by its id, or as output shows it. */
export function chosenOption(): Record<string, Field> {
  return {
    option_id: integer({
      min: 1,
      transient: true,
      groups: ['all', 'insert', 'update'],
      description: 'The id of an option of this attribute; this or `option` is required.',
      example: 1,
    }),
    option: link({
      to: 'AttributeOption',
      nullable: false,
      preservedOnReplace: true,
      onDelete: 'cascade',
      description: 'An option of this attribute, as output shows it.',
    }),
  };
}

const USES = { own: ['option_id', 'option', 'attribute'], AttributeOption: ['attribute'] } as const;

type OptionDraft = Draft<(typeof USES.own)[number]>;

export const optionRules = rules(USES, { derive: takeOptionId, check: checkOption });

/** As `optionRules`, of values that may tell variants apart. */
export const selectRules = rules(
  { ...USES_OF_VALUES_IN_USE, ...USES },
  { derive: takeOptionId, check: checkOption, checkRemoval: selectValueInUse },
);

/** `option_id` says the same as `option`, at a name of its own. Where both are sent, `checkOption` compares them. */
async function takeOptionId(
  { operation, sent, values, stored, lenient, violations }: OptionDraft,
  reads: Reads<typeof USES>,
): Promise<void> {
  if (values.option === null) delete values.option;
  const id = sent.option_id;
  if (typeof id === 'number') {
    if (!(await isOptionOf(id, values.attribute ?? stored?.attribute, reads)))
      violations.add('option_id', 'unknown_link', unknownOption(id));
    else if (values.option === undefined || lenient) values.option = id;
    return;
  }
  const isTold = violations.list.some(({ propertyPath }) => propertyPath.startsWith('option'));
  if (operation !== 'patch' && sent.option === undefined && !isTold)
    violations.add('option_id', 'required', 'Send option_id or option: one of them must say which option is chosen.');
}

async function checkOption(
  { sent, values, stored, lenient, violations }: OptionDraft,
  reads: Reads<typeof USES>,
): Promise<void> {
  const { option } = values;
  const id = sent.option_id;
  if (typeof option !== 'number') return;
  if (typeof id !== 'number') {
    if (!(await isOptionOf(option, values.attribute ?? stored?.attribute, reads)))
      violations.add('option', 'unknown_link', unknownOption(option));
  } else if (option !== id && !lenient) {
    const message = `option_id is ${id}, and option is ${option}; leave one of the two out.`;
    violations.add('option_id', 'contradiction', message);
  }
}

async function isOptionOf(option: number, attribute: Value | undefined, reads: Reads<typeof USES>): Promise<boolean> {
  return (await reads.read('AttributeOption', option))?.attribute === attribute;
}

const unknownOption = (id: number): string => `This attribute has no option with the id ${id}.`;
