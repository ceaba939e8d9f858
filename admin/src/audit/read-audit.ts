/** Requests of the audit of one record, and of its restores (access.md §4). */
import { type AuditEntry, type PathOf, StoreProblem } from 'purveyor/client';
import { isSame, type Values } from '../api/record-diff.ts';
import { createRecord, readPage, readRecord } from '../api/runtime-requests.ts';
import { type Change, changesOf } from './entries.ts';

/** The part of a path that the client adds itself. */
const PREFIX = '/api';

/** A record's path is only known at run time, so the compiler cannot check it. @param path such as `/api/products/1` */
export const clientPath = <P extends string>(path: string, below = ''): P =>
  `${path.slice(PREFIX.length)}${below}` as P;

/** Reads one page of the entries of a record, newest first. */
export async function readHistory(path: string, page: number, itemsPerPage: number) {
  const request = { page, itemsPerPage };
  const { data, total } = await readPage(clientPath<PathOf<'list'>>(path, '/audit'), {}, request);
  return { data: data as readonly AuditEntry[], total };
}

const PER_REQUEST = 100;

/** Reads the entries of a record that are newer than this one, newest first. */
async function readNewer({ id, path }: AuditEntry): Promise<AuditEntry[]> {
  const newer: AuditEntry[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await readHistory(path!, page, PER_REQUEST);
    const some = data.filter((entry) => entry.id > id);
    newer.push(...some);
    if (some.length < PER_REQUEST) return newer;
  }
}

/** What restoring a version would do. */
export interface Preview {
  /** Of the record as the preview shows it. */
  readonly etag: string | undefined;
  readonly isDeleted: boolean;
  /** `before` is the value now, and `after` that of the version. */
  readonly changes: Readonly<Record<string, Change>>;
}

export async function readPreview(entry: AuditEntry): Promise<Preview> {
  // A change between the two requests makes the ETag too old, so that it is noticed.
  const current = await readRecord(clientPath<PathOf<'get'>>(entry.path!), {}).catch((error: unknown) => {
    if ((error as { status?: number }).status === 404) return undefined;
    throw error;
  });
  if (!current) return { etag: undefined, isDeleted: true, changes: {} };
  const changes = Object.entries(differences(await readNewer(entry)));
  const fields = RESTORED[entry.resource ?? ''];
  const restored = changes.filter(([name]) => fields?.includes(name) ?? !isStock(entry, name));
  return { etag: current.etag, isDeleted: false, changes: Object.fromEntries(restored) };
}

/** A restore does not change the stock, because orders change it too. */
function isStock({ resource }: AuditEntry, name: string): boolean {
  const ofProduct = resource === 'Product' || resource === 'Variant';
  return ofProduct && (name === 'amount' || name === 'default_amount');
}

/** The fields that a restore changes, if a PATCH of the record takes only a few of its fields. */
const RESTORED: Readonly<Record<string, readonly string[]>> = {
  Order: ['email', 'billing_address', 'shipping_address', 'shipping_method_name', 'notes', 'admin_notes'],
};

/** Joins the changes of several entries. A restore does not change secrets and parts. @param newer newest first */
function differences(newer: readonly AuditEntry[]): Record<string, Change> {
  const joined: Record<string, { before: unknown; after: unknown }> = {};
  for (const entry of newer)
    for (const [name, change] of changesOf(entry)) {
      if (!('before' in change) || name.includes('[')) continue;
      const known = joined[name];
      joined[name] = { before: known ? known.before : change.after, after: change.before };
    }
  return Object.fromEntries(Object.entries(joined).filter(([, { before, after }]) => !isSame(before, after)));
}

/** The restored record of a deleted one. */
export interface Restored {
  readonly record: Values;
  /** Names of the fields and parts that the store could not restore. */
  readonly notRestored: readonly string[];
  /** Whether an earlier restore has created the record. */
  readonly isEarlier: boolean;
}

/** @throws {StoreProblem} 412 if the record no longer has this ETag */
export async function restoreVersion({ path, version }: AuditEntry, etag: string | undefined): Promise<void> {
  const body = { version } as never;
  await createRecord(clientPath<PathOf<'post'>>(path!, '/restore'), {}, body, { ifMatch: etag });
}

/** Restores a deleted record. If it has been restored before, returns the record of that restore. */
export async function restoreDeleted({ id }: AuditEntry): Promise<Restored> {
  try {
    const { data } = await createRecord('/audit/{id}/restore' as PathOf<'post'>, { id }, {} as never);
    const { not_restored, ...record } = data as unknown as Values;
    const missing = not_restored as readonly string[];
    // The new record has a date of its own, which nobody expects to be the old one.
    return { record, notRestored: missing.filter((name) => name !== 'create_date'), isEarlier: false };
  } catch (error) {
    const earlier = error instanceof StoreProblem ? error.extensions.restored_as : undefined;
    if (earlier === undefined) throw error;
    return { record: earlier as Values, notRestored: [], isEarlier: true };
  }
}
