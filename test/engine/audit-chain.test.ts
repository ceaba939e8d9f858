/** The chain of audit entries, if a transaction that shares its commit with others is rolled back. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditFaults } from '../../src/engine/unit/audit/audit-faults.ts';
import { auditEnd, chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { writeAuditEntries } from '../../src/engine/unit/audit/write-entries.ts';
import { databaseNames } from '../support/databases.ts';
import { openedStore } from '../support/opened-store.ts';

const ACTOR = { type: 'command', id: 'test', keyName: '', address: '' };
const ENTRY = { action: 'export', resource: null, record: null, path: null, version: null, changes: {} };

for (const name of databaseNames)
  describe(`the chain of audit entries (${name})`, () => {
    test('has every committed entry and none of a transaction that was rolled back', async () => {
      const { service, remove } = await openedStore(name);
      const { database, model, sha256 } = service;
      const end = () => auditEnd(service, (...statement) => database.query(...statement));
      try {
        await chainAudit(service);
        const first = await end();
        const write = (count: number, isRolledBack = false): Promise<void> =>
          database.transaction(async (transaction) => {
            await writeAuditEntries(service, transaction, ACTOR, new Array(count).fill(ENTRY));
            if (isRolledBack) throw new Error('rolled back');
          });
        // Transactions that start at the same time share a commit on SQLite.
        const writes = [write(1), write(2), write(1, true), write(1), write(2, true), write(2)];
        const settled = await Promise.allSettled(writes);
        assert.equal(settled.filter(({ status }) => status === 'rejected').length, 2);
        await chainAudit(service);
        assert.equal((await end()).id, first.id + 6);
        const faults = await Array.fromAsync(auditFaults({ database, model, sha256 }, () => {}));
        assert.deepEqual(faults, []);
      } finally {
        await remove();
      }
    });
  });
