/**
 * Transactions that record in the audit what is not a change of a record of the model: changes of keys, users and roles,
 * sign-ins, exports (access.md §4). The entries are written at the end of the transaction.
 */
import { MAIL_TEMPLATES_PATH, ROLES_PATH, USERS_PATH } from '../../access/scopes.ts';
import {
  type Actor,
  API_PATH,
  KEYS_PATH,
  type NewAuditEntry,
  type Service,
  type Statement,
  type Transaction,
  type Value,
  writeAuditEntries,
} from '../../engine/index.ts';

/** The collections of records that are not in the model. */
const PATHS = { User: USERS_PATH, Role: ROLES_PATH, Key: KEYS_PATH, MailTemplate: MAIL_TEMPLATES_PATH } as const;

export type AuditedKind = keyof typeof PATHS;

/** A record as the audit sees it. */
export interface AuditedRecord {
  /** Fields in the form of output, with timestamps in UTC. */
  readonly shown: Readonly<Record<string, Value>>;
  /** Values that differ if a secret differs; null: there is none. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

type Changes = NewAuditEntry['changes'];

/** The members of an entry that identify its record. These records have no versions. */
export function recordOf(kind: AuditedKind, id: number | string) {
  return { resource: kind, record: String(id), path: `${API_PATH}${PATHS[kind]}/${id}`, version: null };
}

export class AuditedTransaction implements Transaction {
  readonly #transaction: Transaction;
  readonly #entries: NewAuditEntry[] = [];
  readonly #details = new Map<string, Changes>();
  #by: Actor;

  constructor(transaction: Transaction, by: Actor) {
    this.#transaction = transaction;
    this.#by = by;
  }

  /** Who writes. */
  get by(): Actor {
    return this.#by;
  }

  /** Names the actor, which a sign-in only finds out during the transaction. */
  actAs(by: Actor): void {
    this.#by = by;
  }

  run(statement: Statement, values: Readonly<Record<string, Value>>): ReturnType<Transaction['run']> {
    return this.#transaction.run(statement, values);
  }

  lock(name: string): Promise<void> {
    return this.#transaction.lock(name);
  }

  record(action: string, kind: AuditedKind, id: number | string, changes: Changes = {}): void {
    this.#entries.push({ action, ...recordOf(kind, id), changes });
  }

  /** Records what the actor, a user or a key, does with its own account. */
  recordOwn(action: string, changes?: Changes): void {
    this.record(action, this.#by.type === 'user' ? 'User' : 'Key', this.#by.id, changes);
  }

  /** Adds members to the next entry about a change of this record. */
  addDetails(kind: AuditedKind, id: number | string, changes: Changes): void {
    this.#details.set(`${kind} ${id}`, changes);
  }

  /** Records the creation, change or deletion of a record. @param before undefined: it did not exist @param after likewise */
  recordChange(
    kind: AuditedKind,
    id: number | string,
    before: AuditedRecord | undefined,
    after: AuditedRecord | undefined,
  ): void {
    const details = this.#details.get(`${kind} ${id}`);
    const changes = { ...shownChanges(before, after), ...secretChanges(before, after), ...details };
    const action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
    if (action !== 'updated' || Object.keys(changes).length > 0) this.record(action, kind, id, changes);
  }

  /** Writes the entries. */
  finish(service: Service): Promise<void> {
    return writeAuditEntries(service, this.#transaction, this.#by, this.#entries);
  }
}

/** A created or deleted record has all fields. */
function shownChanges(before: AuditedRecord | undefined, after: AuditedRecord | undefined): Changes {
  const names = Object.keys((before ?? after)?.shown ?? {});
  const all = names.map((name) => {
    const [from, to] = [before?.shown[name] ?? null, after?.shown[name] ?? null];
    return [name, { before: from, after: to }] as const;
  });
  const isChange = before === undefined || after === undefined;
  return Object.fromEntries(
    all.filter(([, change]) => isChange || JSON.stringify(change.before) !== JSON.stringify(change.after)),
  );
}

function secretChanges(before: AuditedRecord | undefined, after: AuditedRecord | undefined): Changes {
  const names = Object.keys((before ?? after)?.secrets ?? {});
  const changed = names.filter((name) => (before?.secrets[name] ?? null) !== (after?.secrets[name] ?? null));
  return Object.fromEntries(changed.map((name) => [name, { changed: true }]));
}

/** Runs a transaction whose work may record entries. @param by who writes */
export function auditedTransaction<T>(
  service: Service,
  by: Actor,
  work: (transaction: AuditedTransaction) => Promise<T>,
): Promise<T> {
  return service.database.transaction(async (inner) => {
    const transaction = new AuditedTransaction(inner, by);
    const result = await work(transaction);
    await transaction.finish(service);
    return result;
  });
}
