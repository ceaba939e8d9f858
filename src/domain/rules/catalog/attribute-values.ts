/** Shared parts of the four kinds of attribute value: routes, modifiers and the chosen option (catalog.md §10). */

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

/** Fields of the product and the attribute that the value belongs to. */
export function valueOwners(): Record<string, Field> {
  return {
    product: partOf('Product'),
    attribute: reference({ to: 'Attribute', groups: [], onDelete: 'cascade' }),
  };
}

const MODIFIER_TYPES = ['absolute', 'percent'];

/** Fields that change the product's price and weight. */
export function modifiers(): Record<string, Field> {
  return {
    price_modifier: decimal({ description: 'Change of the price; can be negative.' }),
    price_modifier_type: choice(MODIFIER_TYPES, {
      default: 'percent',
      description: 'Whether `price_modifier` is an amount or a percentage.',
    }),
    weight_modifier: decimal({ description: 'Change of the weight; can be negative.' }),
    weight_modifier_type: choice(MODIFIER_TYPES, {
      default: 'percent',
      description: 'Whether `weight_modifier` is an amount or a percentage.',
    }),
    is_default: flag({ description: 'Used when an order does not choose a value.' }),
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

/** How output names the value of a checkbox attribute. */
export const checkboxText = (isChecked: Value): string => (isChecked === true ? 'Yes' : 'No');

/** Fields of the chosen option: its id, or the option as output shows it. */
export function chosenOption(): Record<string, Field> {
  return {
    option_id: integer({
      min: 1,
      transient: true,
      standsFor: 'option',
      groups: ['all', 'insert', 'update'],
      description: 'Id of an option of this attribute. Either this or `option` is required.',
      example: 1,
    }),
    option: link({
      to: 'AttributeOption',
      nullable: false,
      preservedOnReplace: true,
      onDelete: 'cascade',
      description: 'Option of this attribute, as output shows it.',
    }),
  };
}

const USES = { own: ['option_id', 'option', 'attribute'], AttributeOption: ['attribute'] } as const;

type OptionDraft = Draft<(typeof USES.own)[number]>;

export const optionRules = rules(USES, { derive: applyOptionId, check: checkOption });

/** `optionRules` for values that can distinguish variants. */
export const selectRules = rules(
  { ...USES_OF_VALUES_IN_USE, ...USES },
  { derive: applyOptionId, check: checkOption, checkRemoval: selectValueInUse },
);

/** Sets `option` from `option_id`. If both are sent, `checkOption` compares them. */
async function applyOptionId(
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
  const isReported = violations.list.some(({ propertyPath }) => propertyPath.startsWith('option'));
  if (operation !== 'patch' && sent.option === undefined && !isReported)
    violations.add('option_id', 'required', 'An option is required. Send option_id or option.');
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
    const message = `option_id is ${id}, but option is ${option}. Send only one of the two.`;
    violations.add('option_id', 'contradiction', message);
  }
}

async function isOptionOf(option: number, attribute: Value | undefined, reads: Reads<typeof USES>): Promise<boolean> {
  return (await reads.read('AttributeOption', option))?.attribute === attribute;
}

const unknownOption = (id: number): string => `This attribute has no option with the id ${id}.`;
