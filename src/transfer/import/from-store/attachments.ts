/** Copies the attachments of a product. An existing one is found by its title and file name; it is not changed. */
import { EVERYONE, lastSegment } from '../../../domain/rules/catalog/attachment.ts';
import type { ApiRecord, Rejection } from '../../api/store-api.ts';
import { type Ids, type ProductIds, picked, type StoreCopy } from './store-copy.ts';

const PATH = '/products/{product_id}/attachments';

/** @param memberships identifiers in both stores @returns the number of created attachments */
export async function copyAttachments(
  storeCopy: StoreCopy,
  name: string,
  product: ProductIds,
  memberships: Ids,
): Promise<number> {
  const attachments = await Array.fromAsync(storeCopy.source.list(PATH, [product.sourceId]));
  if (attachments.length === 0) return 0;
  const known = new Set<string>();
  for await (const attachment of storeCopy.target.list(PATH, [product.targetId])) known.add(keyOf(attachment));
  let added = 0;
  for (const attachment of attachments) {
    if (known.has(keyOf(attachment))) continue;
    const created = await copyOne(storeCopy, product, attachment, memberships);
    if (created === undefined) added += 1;
    else storeCopy.failure('attachments', `${attachment.title} of ${name}`, created);
  }
  return added;
}

/** @returns why it was not copied */
async function copyOne(
  storeCopy: StoreCopy,
  { sourceId, targetId }: ProductIds,
  attachment: ApiRecord,
  memberships: Ids,
): Promise<Rejection | undefined> {
  const { access = EVERYONE, url } = attachment;
  const ownAccess = /^\d+$/.test(String(access)) ? memberships.get(Number(access)) : access;
  if (ownAccess === undefined)
    return rejection('The membership that it is for could not be copied. Fix that one first.');
  const source =
    access === EVERYONE ? { external_url: url } : await fileOf(storeCopy, [sourceId, attachment.id as number], url);
  if (!source) return rejection('The file could not be downloaded from the other store.');
  const created = await storeCopy.target.post(PATH, [targetId], {
    ...picked(attachment, ['title', 'description', 'position']),
    ...{ access: String(ownAccess), filename: filenameOf(attachment), ...source },
  });
  return created.ok ? undefined : created;
}

/** The file of an attachment that is not public. Release 5.5 has no path for it, but may show an address. */
async function fileOf(storeCopy: StoreCopy, ids: readonly number[], url: unknown): Promise<ApiRecord | undefined> {
  const bytes = await storeCopy.source.download(`${PATH}/{id}/file`, ids);
  if (bytes) return { attachment: Buffer.from(bytes).toString('base64') };
  return typeof url === 'string' ? { external_url: url } : undefined;
}

function rejection(message: string): Rejection {
  return { status: 422, problems: [{ path: '', message }] };
}

function filenameOf({ filename, url }: ApiRecord): string {
  return typeof filename === 'string' ? filename : (lastSegment(String(url)) ?? '');
}

function keyOf(attachment: ApiRecord): string {
  return JSON.stringify([attachment.title, filenameOf(attachment)]);
}
