/** Surcharges and discounts of orders (orders.md §1). They are part of their order and have no path of their own. */
import { choice, decimal, flag, integer, partOf, recorded, resource, text } from '../../engine/vocabulary.ts';
import { SOURCE_SCHEMA } from '../rules/pricing/result-fields.ts';

export const surcharge = resource({
  name: 'Surcharge',
  description: 'A surcharge of an order: tax, discount, shipping or handling.',
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
      description: 'Code of the surcharge. The type in capitals if omitted.',
    }),
    class: text({ groups: ['all', 'read'] }),
    include: flag({ description: 'Whether the prices already include it.' }),
    available: flag({ default: true, groups: ['all', 'read'], description: 'Whether it counts towards the total.' }),
    value: decimal({
      required: true,
      description: 'Amount; negative to subtract. The value of a discount must be 0 or negative.',
      example: 4.9,
    }),
    name: text({
      lengthMax: 255,
      default: null,
      preservedOnReplace: true,
      description: 'Name of the surcharge. The code if omitted.',
    }),
    weight: integer({ description: 'Sort order.' }),
    source: recorded({
      schema: SOURCE_SCHEMA,
      nullable: true,
      default: null,
      description:
        'Copy of the discount or tax rate from which the store calculated the surcharge, or the shipping method; null if the client sent the surcharge.',
    }),
    tax_class: integer({
      transient: true,
      nullable: true,
      min: 1,
      groups: ['insert'],
      description: 'Id of the tax class of the surcharge. Only with `calculate`.',
    }),
  },
  routes: [],
  defaultOrder: ['weight'],
});
