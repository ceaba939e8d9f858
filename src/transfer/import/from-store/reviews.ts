/** Copies the reviews of a product. An existing one is found by its time and the name of its author; it is not changed. */
import type { ApiRecord } from '../../api/store-api.ts';
import { type ProductIds, picked, type StoreCopy } from './store-copy.ts';

const PATH = '/products/{product_id}/reviews';

const FIELDS = ['rating', 'reviewer_name', 'review', 'addition_date', 'status', 'use_for_meta'];

/** Profiles are not copied, so a review belongs to none. @returns the number of created reviews */
export async function copyReviews(storeCopy: StoreCopy, name: string, product: ProductIds): Promise<number> {
  const reviews = await Array.fromAsync(storeCopy.source.list(PATH, [product.sourceId]));
  if (reviews.length === 0) return 0;
  const known = new Set<string>();
  for await (const review of storeCopy.target.list(PATH, [product.targetId])) known.add(keyOf(review));
  let added = 0;
  for (const review of reviews) {
    if (known.has(keyOf(review))) continue;
    const { response } = review;
    const input = {
      ...picked(review, FIELDS),
      ...(typeof response === 'string' && response !== '' ? answered(review) : {}),
    };
    const created = await storeCopy.target.post(PATH, [product.targetId], input);
    if (created.ok) added += 1;
    else storeCopy.failure('reviews', `by ${review.reviewer_name} of ${name}`, created);
    known.add(keyOf(review));
  }
  return added;
}

function answered({ response, response_date }: ApiRecord): ApiRecord {
  return { response, ...(typeof response_date === 'string' ? { response_date } : {}) };
}

/** The stores may show times in different time zones. */
function keyOf({ addition_date, reviewer_name }: ApiRecord): string {
  return `${Math.floor(Date.parse(String(addition_date)) / 1000)} ${reviewer_name}`;
}
