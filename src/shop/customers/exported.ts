/** What customers export of their own data (storefront.md §3). */
import {
  dataSubjectsOf,
  type KnownRecord,
  known,
  type RequestOptions,
  rootsOfDataSubject,
  type Service,
  type ShownRecord,
  type Value,
} from '../../engine/index.ts';
import { shownOrder } from './orders.ts';

interface ExportedRecord {
  readonly resource: string;
  /** Null for records without a path for customers. */
  readonly path: string | null;
  readonly record: object;
}

const REVIEW = ['product_id', 'rating', 'reviewer_name', 'review', 'response', 'addition_date', 'response_date'];
const MAIL = ['template', 'to', 'date', 'status'];
const CART = [
  ...['state', 'email', 'notes', 'currency', 'billing_address', 'shipping_address', 'shipping', 'coupons', 'lines'],
  ...['sub_total', 'total', 'create_date', 'update_date', 'expires_at'],
];

/**
 * Returns a customer's addresses, orders, reviews, carts and mails in the forms for shoppers.
 * @param base path of the customer
 * @returns the records, and the paths of all records in the back office
 */
export async function exportCustomer(
  service: Service,
  requestOptions: RequestOptions,
  profile: Value,
  base: string,
): Promise<{ readonly records: readonly ExportedRecord[]; readonly paths: readonly string[] }> {
  const dataSubject = dataSubjectsOf(service.model)!;
  const { records, paths } = await known(service, requestOptions, (reads) =>
    rootsOfDataSubject(reads, dataSubject, profile),
  );
  return { records: records.flatMap((each) => exported(each, base) ?? []), paths };
}

/** Returns undefined for records that others contain, such as parts of orders. */
function exported({ resource, record }: KnownRecord, base: string): ExportedRecord | undefined {
  const { id, order_number: number } = record;
  if (resource === 'profile_address') return { resource, path: `${base}/addresses/${id}`, record };
  if (resource === 'order')
    return { resource, path: `${base}/orders/${encodeURIComponent(String(number))}`, record: shownOrder(record) };
  if (resource === 'review') return { resource, path: null, record: only(record, REVIEW) };
  if (resource === 'cart') return { resource, path: null, record: only(record, CART) };
  return resource === 'mail' ? { resource, path: null, record: only(record, MAIL) } : undefined;
}

function only(record: ShownRecord, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}
