/** The latest calculation of an order: that of its POST, or of an edit with `calculate` (pricing.md §5). */
import { partOf, recorded, resource } from '../../engine/vocabulary.ts';

export const orderCalculation = resource({
  name: 'OrderCalculation',
  description: 'Input and result of the calculation of an order.',
  unpublished: true,
  fields: {
    order: partOf('Order'),
    input: recorded({ schema: { type: 'object' }, default: {}, groups: [] }),
    result: recorded({ schema: { type: 'object' }, default: {}, groups: [] }),
  },
  routes: [],
});
