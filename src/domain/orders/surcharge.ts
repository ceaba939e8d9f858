/**
 * An amount added to an order's items or taken off them (orders.md §1). Made with the order; it has no path of its own.
 */
import { choice, decimal, flag, integer, partOf, resource, text } from '../../engine/vocabulary.ts';

export const surcharge = resource({
  name: 'Surcharge',
  description: 'A tax, a discount, shipping or handling.',
  fields: {
    order: partOf('Order'),
    type: choice(['tax', 'discount', 'shipping', 'handling'], {
      groups: ['all', 'read', 'insert', 'update'],
      required: true,
      example: 'shipping',
    }),
    code: text({
      lengthMax: 128,
      default: null,
      preservedOnReplace: true,
      description: 'Left out, it is the type in capitals.',
    }),
    class: text({ groups: ['all', 'read'] }),
    include: flag({ description: 'The prices contain it already.' }),
    available: flag({ default: true, groups: ['all', 'read'] }),
    value: decimal({ required: true, description: 'Negative takes away; of a discount at most 0.', example: 4.9 }),
    name: text({ lengthMax: 255, default: null, preservedOnReplace: true, description: 'Left out, it is the code.' }),
    weight: integer({ description: 'Surcharges are shown by it.' }),
  },
  routes: [],
  defaultOrder: ['weight'],
});
