/**
 * The judge of histories finds what is wrong in wrong ones, and a store under many clients gives it nothing to find
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

/** A write with If-Match that was refused. */
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

describe('the judge of histories passes', () => {
  const right: Readonly<Record<string, readonly Operation[]>> = {
    'writes one after the other': [create, write(3, 4, 'b', 2), read(5, 6, 'b', 2)],
    'a read that overlaps a write and sees it, or does not': [
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
    'a write with the right tag': [create, write(3, 4, 'b', 2, { ifMatch: 1 })],
    'a deletion and what comes after': [create, remove(3, 6), read(4, 5, 'a', 1), missing(7, 8)],
  };
  for (const [title, operations] of Object.entries(right))
    test(title, () => assert.deepEqual(checkHistory(operations), []));
});

describe('the judge of histories finds', () => {
  const wrong: Readonly<Record<string, readonly [rule: RegExp, operations: readonly Operation[]]>> = {
    'a lost update: two writes of one version': [
      /two acknowledged writes have the same version/,
      [create, write(3, 6, 'b', 2), write(4, 7, 'c', 2)],
    ],
    'a write that passed a check that was no longer true': [
      /did not create the next version/,
      [create, write(3, 4, 'b', 2), write(5, 6, 'c', 3, { ifMatch: 1 })],
    ],
    'an acknowledged write that is gone': [
      /older than one that was known before/,
      [create, write(3, 4, 'b', 2), read(5, 6, 'a', 1)],
    ],
    'a stale read after a newer one': [
      /older than one that was known before/,
      [create, write(3, 9, 'b', 2), read(4, 5, 'b', 2), read(6, 7, 'a', 1)],
    ],
    'an acknowledged write that another has taken the version of': [
      /was known before/,
      [create, write(3, 4, 'b', 2), unknown(5, 6, 'c'), read(7, 8, 'c', 3), write(9, 10, 'd', 3)],
    ],
    'the text of one write under the version of another': [
      /did not find the text of the write/,
      [create, write(3, 4, 'b', 2), read(5, 6, 'a', 2)],
    ],
    'a text that nobody wrote': [/no write created/, [create, read(3, 4, 'x', 2)]],
    'a text that was read before it was written': [
      /found a write that had not started/,
      [create, read(3, 4, 'b', 2), write(5, 6, 'b', 2)],
    ],
    'an unknown write that happened twice': [
      /two versions/,
      [create, unknown(3, 4, 'b'), read(5, 6, 'b', 2), write(7, 8, 'c', 3), read(9, 10, 'b', 4)],
    ],
    'a 412 without cause': [/no newer version could exist/, [create, stale(3, 4, 1), write(5, 6, 'b', 2)]],
    'a version that nobody made': [/have no write/, [create, write(3, 4, 'b', 3)]],
    'a deleted record that came back': [/came back/, [create, remove(3, 4), read(5, 6, 'a', 1)]],
    'a record that was deleted twice': [/deleted twice/, [create, remove(3, 4), remove(5, 6)]],
    'a record that went by itself': [/no client deleted/, [create, missing(3, 4)]],
  };
  for (const [title, [rule, operations]] of Object.entries(wrong))
    test(title, () => {
      const rules = checkHistory(operations).map((breach) => breach.rule);
      assert.ok(
        rules.some((each) => rule.test(each)),
        `${rules}`,
      );
    });
});

describe('a history of many clients is right', () => {
  const judged = (title: string, options: Omit<HistoryOptions, 'postgresUrl' | 'operations'>, isPostgres: boolean) =>
    test(title, async () => {
      const database = isPostgres ? await freshDatabase('postgres') : undefined;
      const told: string[] = [];
      try {
        await runWith(
          'history',
          7,
          async (run) => {
            const { outcomes } = await history(run, { ...options, operations: 400, postgresUrl: database?.url });
            for (const expected of ['read ok', 'write ok', 'write stale'])
              assert.ok(outcomes[expected], `there was “${expected}”`);
          },
          (line) => told.push(line),
        );
      } catch (error) {
        assert.fail(`${(error as Error).message}\n${told.join('\n')}`);
      } finally {
        await database?.remove();
      }
    });

  judged('on SQLite', { servers: 1, faults: false }, false);
  judged('on PostgreSQL', { servers: 1, faults: false }, true);
  judged('of three servers on one PostgreSQL, with connections cut', { servers: 3, faults: true }, true);
});
