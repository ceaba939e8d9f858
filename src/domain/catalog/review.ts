/** Reviews of products (catalog.md §13). The shop posts the reviews of its customers with its own key. */
import { flag, integer, partOf, reference, resource, rules, text, timestamp } from '../../engine/vocabulary.ts';
import { deriveReviewDates, REVIEW_FIELDS } from '../rules/catalog/review.ts';

const TEXT_LENGTH_MAX = 10_000;

/** Remains in place of the name of an erased customer. */
const ERASED_NAME = '-';

export const review = resource({
  name: 'Review',
  family: 'products',
  group: 'Catalog',
  description: 'A review of a product by a customer, with the shop’s response.',
  fields: {
    rating: integer({ required: true, min: 1, max: 5, description: 'From 1 to 5, the best.', example: 5 }),
    reviewer_name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      personal: () => ERASED_NAME,
      description: 'Name of the customer, as the shop shows it.',
      example: 'Ada',
    }),
    review: text({
      lengthMax: TEXT_LENGTH_MAX,
      personal: true,
      description: 'Plain text, stored as sent.',
      example: 'It fits perfectly.',
    }),
    response: text({
      nullable: true,
      lengthMax: TEXT_LENGTH_MAX,
      description: 'Response of the shop, as plain text.',
      example: 'Thank you.',
    }),
    addition_date: timestamp({
      preservedOnReplace: true,
      description: 'Time of the review. The time of the request if it is omitted from a POST.',
    }),
    response_date: timestamp({
      nullable: true,
      preservedOnReplace: true,
      description:
        'Time of the response; null without one. If it is omitted, it is set when the review gets a response, and cleared with it.',
    }),
    profile: reference({
      to: 'Profile',
      nullable: true,
      onDelete: 'set null',
      description: 'Id of the customer’s profile.',
    }),
    respondent: reference({
      to: 'Profile',
      nullable: true,
      onDelete: 'set null',
      description: 'Id of the profile that has written the response.',
    }),
    status: integer({ min: 0, max: 1, default: 1, description: '0 pending, 1 approved. Shops show approved reviews.' }),
    use_for_meta: flag({ description: 'Whether the shop uses the review in the metadata of the product page.' }),
    product_id: partOf('Product', { shown: true, isIndependent: true, description: 'Id of the product.' }),
  },
  routes: [
    {
      path: '/products/{product_id}/reviews/{id}',
      parents: { product_id: 'product_id' },
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
      filters: ['rating', 'status', 'profile', 'addition_date'],
    },
    {
      path: '/reviews/{id}',
      operations: ['list'],
      filters: ['product_id', 'rating', 'status', 'profile', 'addition_date'],
    },
  ],
  orders: ['rating'],
  defaultOrder: [{ field: 'addition_date', descending: true }],
  ofDataSubject: { link: 'profile' },
  rules: rules({ own: REVIEW_FIELDS }, { derive: deriveReviewDates }),
});
