/** Replays the audit: its entries must reproduce every record, and each must begin where the one before it ended. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { sha256 } from '../../src/adapters/secrets/sha256.ts';
import type { ModelResource } from '../../src/engine/model/model.ts';
import type { Database, Value } from '../../src/engine/ports.ts';
import { Statements } from '../../src/engine/sql/shapes.ts';
import { auditFaults } from '../../src/engine/unit/audit/audit-faults.ts';
import { changedField } from '../../src/engine/unit/audit/audited-fields.ts';
import { canonicalJson } from '../../src/engine/unit/audit/canonical-json.ts';
import { chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { readRecordValues } from '../../src/engine/unit/audit/record-values.ts';
import { committed } from '../../src/engine/unit/reads.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { storeModel } from '../../src/wiring/open.ts';

const model = storeModel();

interface AuditRow {
  readonly id: number;
  readonly action: string;
  readonly resource: string;
  readonly record: string;
  readonly path: string;
  readonly version: number;
  readonly changes: Record<string, { before?: Value; after?: Value; changed?: true }>;
}

type State = Map<string, Value>;

/** All entries, after those in the inbox are added to the chain. */
export async function auditRows(database: Database): Promise<AuditRow[]> {
  await chainAudit({ database, model, sha256, statements: new Statements(database.dialect) });
  const select = sql`select id, action, resource, record, path, version, changes from ${sql.table('audit_entry')} order by id`;
  const rows = await database.query(database.dialect.compile(select), {});
  return rows.map(([id, action, resource, record, path, version, changes]) => ({
    ...{
      id: Number(id),
      action: String(action),
      resource: String(resource),
      record: String(record),
      path: String(path),
    },
    ...{ version: Number(version), changes: JSON.parse(String(changes)) },
  }));
}

/** Asserts that the audit reproduces all records whose creation it has, and that `purveyor check` finds no fault in it. */
export async function assertReplayable(database: Database): Promise<void> {
  const states = new Map<string, State>();
  const ended = new Set<string>();
  for (const row of await auditRows(database)) replay(row, states, ended);
  for (const resource of model.resources.values()) {
    if (resource.isPublishedByOwner || resource.isUnpublished) continue;
    const own = [...states].filter(([key]) => key.startsWith(`${resource.name} `));
    await assertEqualRecords(
      database,
      resource,
      new Map(own.map(([key, state]) => [key.split(' ')[1]!, state])),
      ended,
    );
  }
  const faults = await Array.fromAsync(auditFaults({ database, model, sha256 }, () => {}));
  assert.deepEqual(faults, []);
}

/** @param ended records that were deleted @param states of records whose creation the audit has */
function replay(
  { id, action, resource, record, version, changes }: AuditRow,
  states: Map<string, State>,
  ended: Set<string>,
): void {
  const shown = model.resources.get(resource);
  // Keys, users and roles are no records of the model.
  if (!shown) return;
  const key = `${resource} ${record}`;
  // A restored record can also be a new one.
  const isNew = action === 'created' || (action === 'restored' && version === 1);
  const state = isNew ? new Map<string, Value>() : states.get(key);
  ended[action === 'deleted' ? 'add' : 'delete'](key);
  if (!state) return;
  for (const [name, { before, after }] of Object.entries(changes)) {
    if (before === undefined) continue;
    const was = withoutEnded(shown, name, state.get(name) ?? null, ended);
    assert.equal(
      canonicalJson(withoutEnded(shown, name, before, ended)),
      canonicalJson(was),
      `${name} before entry ${id}`,
    );
    state.set(name, after!);
  }
  if (action !== 'deleted') states.set(key, state);
  else {
    const left = [...state].filter(([, value]) => value !== null);
    assert.deepEqual(left, [], `entry ${id} has all fields of the deleted ${key}`);
    states.delete(key);
  }
}

/** The deletion of a record also removes links to it. */
function withoutEnded(resource: ModelResource, name: string, value: Value, ended: ReadonlySet<string>): Value {
  const field = changedField(model, resource, name)?.field;
  assert.ok(field, `${resource.name} has no field ${name}`);
  if (!['link', 'links'].includes(field.storage.in)) return value;
  const isEnded = (id: Value): boolean => ended.has(`${field.target!.name} ${id}`);
  if (Array.isArray(value)) return value.filter((id) => !isEnded(id));
  return isEnded(value) ? null : value;
}

async function assertEqualRecords(
  database: Database,
  resource: ModelResource,
  states: ReadonlyMap<string, State>,
  ended: ReadonlySet<string>,
): Promise<void> {
  if (states.size === 0) return;
  const statements = new Statements(database.dialect);
  const reads = committed({ model, statements, database } as unknown as Service, { language: '', defaultLanguage: '' });
  const ids = [...states.keys()].map((id) => (resource.identifierType === 'integer' ? Number(id) : id));
  const records = await readRecordValues(reads, resource, ids);
  assert.equal(records.size, states.size, `records of ${resource.name}`);
  for (const [id, values] of records) {
    const shown = (all: ReadonlyMap<string, Value>) =>
      Object.fromEntries(
        [...all]
          .map(([name, value]) => [name, withoutEnded(resource, name, value, ended)] as const)
          .filter(([, value]) => value !== null)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      );
    assert.deepEqual(shown(states.get(String(id))!), shown(values), `${resource.name} ${id}`);
  }
}
