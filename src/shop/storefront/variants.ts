/** What shoppers see of the variants of a product (storefront.md §2). */
import { type GuestPrice, guestPrices, RESOURCES_OF_GUEST_PRICES } from '../../domain/rules/pricing/guest-prices.ts';
import type { ShownRecord, Value } from '../../engine/index.ts';
import { availabilityOf, quantityOf, STOCK_FIELDS } from './stock.ts';
import { DESCRIBED, priceContext, recordsOf, type ShopView, same, shopView, shownImage } from './view.ts';

const IMAGE = ['alt', 'url', 'width', 'height'];

interface VariantFacts {
  /** By variant. */
  readonly prices: ReadonlyMap<Value, GuestPrice>;
  /** The product, with the fields that its stock depends on. */
  readonly product: ShownRecord;
  readonly quantityMax: number;
}

export const VARIANTS: ShopView = shopView<VariantFacts>({
  resource: 'Variant',
  path: '/products/{product_id}/variants',
  about: 'The variants of a visible product. Each has its own price and stock.',
  reads: RESOURCES_OF_GUEST_PRICES,
  conditions: [],
  hasPrices: true,
  fields: {
    id: same('id', 'Id of the variant.'),
    sku: same('sku'),
    price: {
      from: [],
      needs: ['prices'],
      value: ({ id }, { prices }) => prices.get(id!)?.price,
      described: DESCRIBED.price,
    },
    list_price: {
      from: [],
      needs: ['prices'],
      value: ({ id }, { prices }) => prices.get(id!)?.regularPrice,
      described: DESCRIBED.list_price,
    },
    tiers: {
      from: [],
      needs: ['prices'],
      value: ({ id }, { prices }) => prices.get(id!)?.tiers,
      described: DESCRIBED.tiers,
    },
    weight: same('weight', 'Weight of one unit, in the store’s unit of weight.'),
    availability: {
      from: ['amount'],
      needs: ['product'],
      value: ({ amount }, { product }) => availabilityOf(product, [amount as number]),
      described: DESCRIBED.availability,
    },
    quantity: {
      from: ['amount'],
      needs: ['product'],
      value: ({ amount }, { product, quantityMax }) => quantityOf(product, [amount as number], quantityMax),
      described: DESCRIBED.quantity,
    },
    image: {
      from: ['image'],
      value: ({ image }) => shownImage(image, IMAGE),
      described: recordsOf('ProductImage', IMAGE, 'Image of the variant, or null.', false),
    },
    value_ids: {
      from: ['attribute_checkbox_values', 'attribute_select_values'],
      value: ({ attribute_checkbox_values: checkboxes, attribute_select_values: selects }) =>
        [checkboxes, selects].flatMap((ids) => ids as Value[]),
      described: {
        schema: {
          type: 'array',
          description: 'The `value_id`s of the choices of this variant.',
          items: { type: 'integer', format: 'int64' },
        },
        example: [1],
      },
    },
    is_default: {
      from: ['default_variant'],
      value: ({ default_variant }) => default_variant,
      described: { schema: { type: 'boolean', description: 'Whether it is the default variant.' }, example: false },
    },
  },
  filters: {},
  orders: {},
  async facts(reading, records, needs) {
    const { reads, settings, parent } = reading;
    const priced = needs.has('prices')
      ? await guestPrices(
          [parent!],
          reads as unknown as Parameters<typeof guestPrices>[1],
          priceContext(reading),
          records.map(({ id }) => id!),
        )
      : undefined;
    const [product] = needs.has('product')
      ? await reads.list('Product', { id: [parent!] }, { only: STOCK_FIELDS })
      : [];
    return {
      prices: new Map((priced?.byProduct.get(parent!) ?? []).map((price) => [price.variant, price])),
      endsAt: priced?.endsAt,
      product: (product ?? {}) as ShownRecord,
      quantityMax: settings.quantityMax,
    };
  },
});
