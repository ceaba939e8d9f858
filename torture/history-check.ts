/**
 * Judges a history: the requests of several clients for some records, with their times and answers. Every change of a
 * record gives it the next version, and every write leaves a text that nobody else writes, so that the versions tell
 * the order of the writes, without a search. Costs n log n.
 */

export interface Operation {
  /** The record, by its id. */
  readonly record: number;
  readonly kind: 'create' | 'write' | 'read' | 'delete';
  /** Numbers that only grow: `start` was drawn before the request was sent, `end` after its answer was there. */
  readonly start: number;
  readonly end: number;
  /** `stale`: 412. `missing`: 404. `unknown`: no answer, or one that leaves it open. `refused`: it was not done. */
  readonly outcome: 'ok' | 'stale' | 'missing' | 'unknown' | 'refused';
  /** The version that the client wanted to change. */
  readonly ifMatch?: number;
  /** The nonce that the write leaves, or that the read has found. */
  readonly nonce?: string;
  /** As answered. */
  readonly version?: number;
}

export interface Breach {
  readonly rule: string;
  readonly operation: Operation;
}

/** @returns every promise that was not kept; none for a history that one server with one client at a time could have */
export function checkHistory(operations: readonly Operation[]): Breach[] {
  const byRecord = Map.groupBy(operations, ({ record }) => record);
  return [...byRecord.values()].flatMap(checkRecord);
}

function checkRecord(operations: readonly Operation[]): Breach[] {
  const breaches: Breach[] = [];
  const breach = (rule: string, operation: Operation): void => void breaches.push({ rule, operation });
  const written = operations.filter(({ kind }) => kind === 'write' || kind === 'create');
  const unknown = written.filter(({ outcome }) => outcome === 'unknown');
  const unknownByNonce = new Map(unknown.map((operation) => [operation.nonce, operation]));
  const owners = new Map<number, Operation>();

  // 1: two acknowledged writes never share a version, and a write of version v makes v + 1.
  for (const write of written) {
    if (write.outcome !== 'ok') continue;
    if (owners.has(write.version!)) breach('two acknowledged writes have one version', write);
    owners.set(write.version!, write);
    if (write.ifMatch !== undefined && write.version !== write.ifMatch + 1)
      breach('a write with If-Match did not make the next version', write);
  }

  // 4: a read finds the text that the version's own write left. A version that no acknowledged write has belongs to one
  // unknown.
  const unknownVersions = new Map<string, number>();
  for (const read of operations) {
    if (read.kind !== 'read' || read.outcome !== 'ok') continue;
    const owner = owners.get(read.version!) ?? unknownByNonce.get(read.nonce);
    if (!owner) breach('a version was read that no write made', read);
    else if (owner.nonce !== read.nonce) breach('what was read is not what the write of that version left', read);
    else if (owner.start > read.end) breach('it was read before it was written', read);
    if (owner?.outcome !== 'unknown') continue;
    const version = unknownVersions.get(read.nonce!) ?? read.version!;
    if (version !== read.version) breach('one unknown write has two versions', read);
    const { ifMatch } = owner;
    if (ifMatch !== undefined && version !== ifMatch + 1)
      breach('a write with If-Match did not make the next version', read);
    unknownVersions.set(read.nonce!, version);
  }

  // 2 and 3: nobody goes back behind what was known when they started.
  const seen = operations.filter(({ version, outcome }) => version !== undefined && outcome !== 'unknown');
  const byEnd = seen.toSorted((one, other) => one.end - other.end);
  let known = 0;
  let ended = 0;
  for (const operation of seen.toSorted((one, other) => one.start - other.start)) {
    for (; ended < byEnd.length && byEnd[ended]!.end < operation.start; ended += 1)
      known = Math.max(known, byEnd[ended]!.version!);
    const isWrite = (operation.kind === 'write' || operation.kind === 'create') && operation.outcome === 'ok';
    if (operation.version! < known) breach('a version is older than one that was known before', operation);
    else if (isWrite && operation.version === known) breach('a write has a version that was known before', operation);
  }

  // 5: a 412 is only given when a newer version can have been there.
  const newer = [...owners.values()].toSorted((one, other) => other.version! - one.version!);
  const stale = operations
    .filter(({ outcome, ifMatch }) => outcome === 'stale' && ifMatch !== undefined)
    .toSorted((one, other) => other.ifMatch! - one.ifMatch!);
  const firstUnknown = Math.min(...unknown.map(({ start }) => start));
  let next = 0;
  let firstNewer = Number.POSITIVE_INFINITY;
  for (const operation of stale) {
    for (; next < newer.length && newer[next]!.version! > operation.ifMatch!; next += 1)
      firstNewer = Math.min(firstNewer, newer[next]!.start);
    if (Math.min(firstNewer, firstUnknown) > operation.end)
      breach('a 412 though nothing newer could be there', operation);
  }

  // 6: each version up to the last belongs to one write, acknowledged or unknown; none is lost between.
  const last = Math.max(0, ...seen.map(({ version }) => version!));
  const unowned = last - [...owners.keys()].filter((version) => version <= last).length;
  if (unowned > unknown.length) breach(`of ${last} versions ${unowned} have no write`, operations.at(-1)!);

  checkDeletion(operations, breach);
  return breaches;
}

/** A record is deleted once, and is not there afterwards, for nobody. */
function checkDeletion(operations: readonly Operation[], breach: (rule: string, operation: Operation) => void): void {
  const deletions = operations.filter(({ kind }) => kind === 'delete');
  const done = deletions.filter(({ outcome }) => outcome === 'ok');
  if (done.length > 1) breach('a record was deleted twice', done[1]!);
  const firstTry = Math.min(
    ...deletions.filter(({ outcome }) => outcome === 'ok' || outcome === 'unknown').map(({ start }) => start),
  );
  // Known to be gone, from a deletion or from a 404.
  const firstGone = Math.min(
    ...operations
      .filter(({ kind, outcome }) => outcome === 'missing' || (kind === 'delete' && outcome === 'ok'))
      .map(({ end }) => end),
  );
  for (const operation of operations) {
    if (operation.outcome === 'missing' && operation.end < firstTry)
      breach('a record is missing that nobody deleted', operation);
    const isThere = operation.outcome === 'ok' || operation.outcome === 'stale';
    if (isThere && operation.start > firstGone) breach('a deleted record came back', operation);
  }
}
