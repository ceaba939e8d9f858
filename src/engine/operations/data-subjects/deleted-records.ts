/** Deleted records of a data subject. Only the audit still has their values. */
import { sql } from 'kysely';
import { AUDIT_INBOX, AUDIT_TABLE } from '../../model/audit-tables.ts';
import type { ModelResource } from '../../model/model.ts';
import { BindParam, type Dialect, type Row, type Value } from '../../ports.ts';
import { looseMatch } from '../../text-forms.ts';
import { isIndexedDeletion } from '../../unit/audit/value-index.ts';
import type { Reads } from '../../unit/reads.ts';

interface DeletedRecord {
  readonly resource: ModelResource;
  readonly id: Value;
  readonly path: string;
  /** The last values of its fields. */
  readonly values: Readonly<Record<string, Value>>;
}

/** An entry may move from the inbox to the chain meanwhile. */
const TABLES = [AUDIT_INBOX, AUDIT_TABLE];

/** Entries per statement. */
const ENTRIES_AT_ONCE = 500;

const RESOURCES = new BindParam('resources', 'text', true);

/** Reads those deleted records of these resources that `isSought` accepts, as far as clients can delete some. */
export async function deletedRecords(
  reads: Reads,
  all: readonly string[],
  isSought: (record: DeletedRecord) => boolean,
): Promise<DeletedRecord[]> {
  const resources = deletableAmong(reads, all);
  const found: DeletedRecord[] = [];
  if (resources.length === 0) return found;
  for (const table of TABLES)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: Row[] = await reads.query(
        `deleted records in ${table}`,
        (dialect) => sql`select id, resource, record, path, changes from ${sql.table(table)}
          where ${isDeletion(dialect, table)} and id > ${dialect.placeholder(new BindParam('after', 'integer'))}
          order by id limit ${sql.lit(ENTRIES_AT_ONCE)}`,
        { resources, after },
      );
      for (const [, ...row] of rows) {
        const record = deletedRecord(reads, row as string[]);
        if (isSought(record)) found.push(record);
      }
      after = rows.length < ENTRIES_AT_ONCE ? undefined : Number(rows.at(-1)![0]);
    }
  return found;
}

function deletedRecord({ service }: Reads, [name, record, path, json]: readonly string[]): DeletedRecord {
  const resource = service.model.resources.get(name!)!;
  const changes = Object.entries(JSON.parse(json!) as Record<string, { readonly before?: Value }>);
  const values = Object.fromEntries(changes.map(([key, { before = null }]) => [key, before]));
  return { resource, id: resource.identifierType === 'integer' ? Number(record) : record!, path: path!, values };
}

/** Paths of those of these records that were deleted. @param roots identifiers by the name of their resource */
export async function deletedPaths(reads: Reads, roots: ReadonlyMap<string, readonly Value[]>): Promise<string[]> {
  const paths = new Set<string>();
  for (const name of deletableAmong(reads, [...roots.keys()])) {
    const records = roots.get(name)!.map(String);
    if (records.length === 0) continue;
    for (const table of TABLES) {
      const rows = await reads.query(
        `paths of deleted records in ${table}`,
        (dialect) => sql`select distinct path from ${sql.table(table)} where ${isDeletion(dialect, table)}
          and record in (select value from ${dialect.listed(new BindParam('records', 'text', true))}) order by path`,
        { resources: [name], records },
      );
      for (const [path] of rows) paths.add(path as string);
    }
  }
  return [...paths];
}

/** Condition for the deletions of records of `resources`. */
function isDeletion({ listed }: Dialect, table: string) {
  const condition = sql`action = 'deleted' and resource in (select value from ${listed(RESOURCES)})`;
  return table === AUDIT_TABLE ? sql`${isIndexedDeletion(listed(RESOURCES))} and ${condition}` : condition;
}

function deletableAmong({ service }: Reads, names: readonly string[]): string[] {
  return names.filter((name) => isDeletable(service.model.resources.get(name)!));
}

/** Parts can be deleted with their owner. */
function isDeletable({ owner, routes }: ModelResource): boolean {
  return owner !== undefined || routes.some(({ operations }) => operations.has('remove'));
}

/** Whether a deleted record had a link to this data subject. */
export function linkedTo({ resource, values }: DeletedRecord, dataSubject: Value): boolean {
  return values[resource.declaration.ofDataSubject!.link] === dataSubject;
}

/** Whether a deleted record was a data subject with this name, or had this name and no link to one. */
export function namedAlone({ resource, values }: DeletedRecord, name: string): boolean {
  const { dataSubject, ofDataSubject } = resource.declaration;
  const written = values[(dataSubject ?? ofDataSubject)!.named!] ?? null;
  const isLinked = ofDataSubject !== undefined && (values[ofDataSubject.link] ?? null) !== null;
  return typeof written === 'string' && !isLinked && looseMatch(written) === looseMatch(name);
}

/** Adds records to those by the name of their resource. */
export function withDeleted(
  roots: ReadonlyMap<string, readonly Value[]>,
  deleted: readonly DeletedRecord[],
): Map<string, readonly Value[]> {
  const all = new Map(roots);
  for (const { resource, id } of deleted) all.set(resource.name, [...new Set([...(all.get(resource.name) ?? []), id])]);
  return all;
}
