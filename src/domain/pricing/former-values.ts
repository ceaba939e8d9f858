/** Earlier values of the fields that determine public prices, from which price histories are computed (pricing.md §6). */
import { integer, recorded, reference, resource, text, timestamp } from '../../engine/vocabulary.ts';

const FORMER = {
  /** The resource whose fields had the values. */
  resource: text({ groups: [] }),
  until: timestamp({ groups: [], nullable: true }),
  values: recorded({ schema: { type: 'array' }, default: [], groups: [] }),
};

export const productFormerValue = resource({
  name: 'ProductFormerValue',
  description:
    'Earlier values of a product, one of its variants, or one of its links to categories; or that a sale discount listed it.',
  fields: {
    product: reference({ to: 'Product', groups: [], nullable: true, onDelete: 'cascade' }),
    variant: reference({ to: 'Variant', groups: [], nullable: true, onDelete: 'cascade' }),
    ...FORMER,
  },
  routes: [],
  unpublished: true,
  fewPerRecord: true,
});

/** These remain after the deletion of the record. */
export const ruleFormerValue = resource({
  name: 'RuleFormerValue',
  description: 'Earlier values of a sale discount, or an earlier parent of a category.',
  fields: { record: integer({ groups: [] }), ...FORMER },
  routes: [],
  unpublished: true,
});
