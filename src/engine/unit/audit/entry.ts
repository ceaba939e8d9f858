/** An audit entry as output shows it, and its hash (access.md §4). */
import { AUDIT_COLUMNS } from '../../model/audit-tables.ts';
import type { Model } from '../../model/model.ts';
import type { HashedPart, Row, Value } from '../../ports.ts';
import { formatTimestamp } from '../../time.ts';

/** The members that the hash of an entry covers, besides its changes. */
export type AuditHead = {
  readonly id: number;
  readonly date: string;
  readonly actor: { readonly type: string; readonly id: number | string | null };
  readonly address: string | null;
  readonly request_id: string | null;
  readonly action: string;
  readonly resource: string | null;
  readonly record_id: number | string | null;
  readonly path: string | null;
  readonly version: number | null;
};

/** What a unit of work knows of an entry, by the names of `AUDIT_COLUMNS`. */
export type AuditRow = Readonly<Record<string, Value>>;

/** The values of a row in the order of `AUDIT_COLUMNS`. */
export function valuesOf(row: AuditRow): Value[] {
  return AUDIT_COLUMNS.map(({ name }) => row[name]!);
}

/** Columns of an entry besides its id, in the order that `headOf` expects. */
export const HEAD_COLUMNS = [
  ...['at', 'actor_type', 'actor_id', 'address', 'request_id'],
  ...['action', 'resource', 'record', 'path', 'version'],
] as const;

/** @param row the values of `HEAD_COLUMNS` */
export function headOf(model: Pick<Model, 'resources'>, id: number, row: Row): AuditHead {
  const [at, type, actorId, address, requestId, action, resource, record, path, version] = row as readonly Value[];
  return {
    id,
    date: formatTimestamp(Number(at), 'UTC'),
    actor: { type: type as string, id: identifier(actorId as string | null, true) },
    address: address as string | null,
    request_id: requestId as string | null,
    action: action as string,
    resource: resource as string | null,
    record_id: identifier(record as string | null, isNumbered(model, resource as string | null)),
    path: path as string | null,
    version: version === null ? null : Number(version),
  };
}

/** Records outside of the model have numbers, or texts that contain more than digits. */
function isNumbered({ resources }: Pick<Model, 'resources'>, resource: string | null): boolean {
  const known = resource === null ? undefined : resources.get(resource);
  return known === undefined || known.identifierType === 'integer';
}

function identifier(text: string | null, mayBeNumber: boolean): number | string | null {
  return text !== null && mayBeNumber && text.length <= 15 && /^\d+$/.test(text) ? Number(text) : text;
}

/** The hash before the first entry. */
export const FIRST_HASH = '0'.repeat(64);

type Sha256 = (parts: readonly HashedPart[]) => string;

/** The hash of an entry, which covers all entries before it. */
export function entryHash(sha256: Sha256, before: string, head: AuditHead, changesHash: string): string {
  return sha256([
    [before, 'hex'],
    [canonicalHead(head), 'utf8'],
    [changesHash, 'hex'],
  ]);
}

/** The form of RFC 8785: members in the order of their names, numbers and texts as ECMAScript writes them. */
function canonicalHead(head: AuditHead): string {
  const { action, actor, address, date, id, path, record_id, request_id, resource, version } = head;
  const by = { id: actor.id, type: actor.type };
  return JSON.stringify({ action, actor: by, address, date, id, path, record_id, request_id, resource, version });
}

/** @param salt base64 @param changes canonical JSON */
export function changesHashOf(sha256: Sha256, salt: string, changes: string): string {
  return sha256([
    [salt, 'base64'],
    [changes, 'utf8'],
  ]);
}
