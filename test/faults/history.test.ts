/**
 * The history checker detects violations in wrong histories, and finds none in the history of a store with many clients
 * (`npm run torture -- history` is the long run; reliability, rows H1, H2, H9, H12, L10).
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HistoryOptions, history } from '../../torture/history.ts';
import { checkHistory, type Operation } from '../../torture/history-check.ts';
import { runWith } from '../../torture/report.ts';
import { freshDatabase } from '../support/databases.ts';

const create: Operation = { record: 1, kind: 'create', start: 1, end: 2, outcome: 'ok', nonce: 'a', version: 1 };

function write(start: number, end: number, nonce: string, version: number, more: Partial<Operation> = {}): Operation {
  return { record: 1, kind: 'write', start, end, outcome: 'ok', nonce, version, ...more };
}

function read(start: number, end: number, nonce: string, version: number): Operation {
  return { record: 1, kind: 'read', start, end, outcome: 'ok', nonce, version };
}

/** A write that was rejected because of `If-Match`. */
function stale(start: number, end: number, ifMatch: number): Operation {
  return { record: 1, kind: 'write', start, end, outcome: 'stale', nonce: 'z', ifMatch };
}

const unknown = (start: number, end: number, nonce: string): Operation => ({
  ...{ record: 1, kind: 'write', start, end, outcome: 'unknown', nonce },
});
const remove = (start: number, end: number): Operation => ({ record: 1, kind: 'delete', start, end, outcome: 'ok' });
const missing = (start: number, end: number): Operation => ({
  ...remove(start, end),
  kind: 'read',
  outcome: 'missing',
});

describe('valid histories', () => {
  const valid: Readonly<Record<string, readonly Operation[]>> = {
    'sequential writes': [create, write(3, 4, 'b', 2), read(5, 6, 'b', 2)],
    'a read that overlaps a write, with or without its result': [
      ...[create, write(3, 8, 'b', 2), read(4, 5, 'a', 1), read(6, 7, 'b', 2)],
    ],
    'overlapping writes in either order': [create, write(3, 8, 'b', 3), write(4, 7, 'c', 2), read(9, 10, 'b', 3)],
    'an unknown write that happened': [create, unknown(3, 4, 'b'), read(5, 6, 'b', 2), write(7, 8, 'c', 3)],
    'an unknown write that did not happen': [create, unknown(3, 4, 'b'), write(7, 8, 'c', 2)],
    'an unknown write that happened after its client gave up': [
      ...[create, unknown(3, 4, 'b'), read(5, 6, 'a', 1), read(7, 8, 'b', 2)],
    ],
    'a 412 after another write': [create, write(3, 4, 'b', 2), stale(5, 6, 1)],
    'a 412 for an unknown write': [create, unknown(3, 4, 'b'), stale(5, 6, 1)],
    'a write with a matching If-Match': [create, write(3, 4, 'b', 2, { ifMatch: 1 })],
    'a deletion with an overlapping and a later read': [create, remove(3, 6), read(4, 5, 'a', 1), missing(7, 8)],
  };
  for (const [title, operations] of Object.entries(valid))
    test(`the history checker accepts ${title}`, () => assert.deepEqual(checkHistory(operations), []));
});

describe('wrong histories', () => {
  const invalid: Readonly<Record<string, readonly [rule: RegExp, operations: readonly Operation[]]>> = {
    'a lost update (two writes of one version)': [
      /two acknowledged writes have the same version/,
      [create, write(3, 6, 'b', 2), write(4, 7, 'c', 2)],
    ],
    'a write that passed an outdated If-Match': [
      /did not create the next version/,
      [create, write(3, 4, 'b', 2), write(5, 6, 'c', 3, { ifMatch: 1 })],
    ],
    'a lost acknowledged write': [
      /older than one that was known before/,
      [create, write(3, 4, 'b', 2), read(5, 6, 'a', 1)],
    ],
    'a stale read after a newer one': [
      /older than one that was known before/,
      [create, write(3, 9, 'b', 2), read(4, 5, 'b', 2), read(6, 7, 'a', 1)],
    ],
    'an acknowledged write with the version of another write': [
      /was known before/,
      [create, write(3, 4, 'b', 2), unknown(5, 6, 'c'), read(7, 8, 'c', 3), write(9, 10, 'd', 3)],
    ],
    'the value of one write with the version of another': [
      /did not find the text of the write/,
      [create, write(3, 4, 'b', 2), read(5, 6, 'a', 2)],
    ],
    'a value without a write': [/no write created/, [create, read(3, 4, 'x', 2)]],
    'a value that was read before it was written': [
      /found a write that had not started/,
      [create, read(3, 4, 'b', 2), write(5, 6, 'b', 2)],
    ],
    'an unknown write that happened twice': [
      /two versions/,
      [create, unknown(3, 4, 'b'), read(5, 6, 'b', 2), write(7, 8, 'c', 3), read(9, 10, 'b', 4)],
    ],
    'a 412 without a newer version': [/no newer version could exist/, [create, stale(3, 4, 1), write(5, 6, 'b', 2)]],
    'a version without a write': [/have no write/, [create, write(3, 4, 'b', 3)]],
    'a deleted record that exists again': [/came back/, [create, remove(3, 4), read(5, 6, 'a', 1)]],
    'a record that is deleted twice': [/deleted twice/, [create, remove(3, 4), remove(5, 6)]],
    'a missing record that was not deleted': [/no client deleted/, [create, missing(3, 4)]],
  };
  for (const [title, [rule, operations]] of Object.entries(invalid))
    test(`the history checker detects ${title}`, () => {
      const rules = checkHistory(operations).map((breach) => breach.rule);
      assert.ok(
        rules.some((each) => rule.test(each)),
        `${rules}`,
      );
    });
});

describe('history of many clients', () => {
  const testHistory = (
    target: string,
    options: Omit<HistoryOptions, 'postgresUrl' | 'operations'>,
    isPostgres: boolean,
  ) =>
    test(`the history of many clients is valid on ${target}`, async () => {
      const database = isPostgres ? await freshDatabase('postgres') : undefined;
      const log: string[] = [];
      try {
        await runWith(
          'history',
          7,
          async (run) => {
            const { outcomes } = await history(run, { ...options, operations: 400, postgresUrl: database?.url });
            for (const expected of ['read ok', 'write ok', 'write stale'])
              assert.ok(outcomes[expected], `no outcome “${expected}”`);
          },
          (line) => log.push(line),
        );
      } catch (error) {
        assert.fail(`${(error as Error).message}\n${log.join('\n')}`);
      } finally {
        await database?.remove();
      }
    });

  testHistory('SQLite', { servers: 1, faults: false }, false);
  testHistory('PostgreSQL', { servers: 1, faults: false }, true);
  testHistory('PostgreSQL with three servers and cut connections', { servers: 3, faults: true }, true);
});
