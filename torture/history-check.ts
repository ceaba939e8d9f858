/**
 * Checks a history for linearizability: the requests of several clients for some records, with their times and responses.
 * Every change of a record increments its version, and every write leaves a unique text, so the order of the writes is known
 * without a search. Takes O(n log n).
 */

export interface Operation {
  /** The record, by its id. */
  readonly record: number;
  readonly kind: 'create' | 'write' | 'read' | 'delete';
  /** Logical times: `start` is taken before the request is sent, `end` after its response has arrived. */
  readonly start: number;
  readonly end: number;
  /** `stale`: 412. `missing`: 404. `unknown`: no response, or 503. `refused`: the request did not reach the server. */
  readonly outcome: 'ok' | 'stale' | 'missing' | 'unknown' | 'refused';
  /** The version in the If-Match header. */
  readonly ifMatch?: number;
  /** The nonce that the write leaves, or that the read found. */
  readonly nonce?: string;
  /** The version in the response. */
  readonly version?: number;
}

export interface Breach {
  readonly rule: string;
  readonly operation: Operation;
}

/** @returns all breaches; none if one server with one client at a time could have produced the history */
export function checkHistory(operations: readonly Operation[]): Breach[] {
  const byRecord = Map.groupBy(operations, ({ record }) => record);
  return [...byRecord.values()].flatMap(checkRecord);
}

type Report = (rule: string, operation: Operation) => void;

function checkRecord(operations: readonly Operation[]): Breach[] {
  const breaches: Breach[] = [];
  const report: Report = (rule, operation) => void breaches.push({ rule, operation });
  const written = operations.filter(isWrite);
  const unknown = written.filter(({ outcome }) => outcome === 'unknown');
  const owners = checkWrites(written, report);
  checkReads(operations, owners, unknown, report);
  const seen = operations.filter(({ version, outcome }) => version !== undefined && outcome !== 'unknown');
  checkOrder(seen, report);
  checkStale(operations, owners, unknown, report);
  checkVersions(operations, seen, owners, unknown, report);
  checkDeletion(operations, report);
  return breaches;
}

function isWrite({ kind }: Operation): boolean {
  return kind === 'write' || kind === 'create';
}

/** The acknowledged write of each version. */
type Owners = ReadonlyMap<number, Operation>;

/** Rule 1: two acknowledged writes never share a version, and a write with If-Match on version v creates v + 1. */
function checkWrites(written: readonly Operation[], report: Report): Owners {
  const owners = new Map<number, Operation>();
  for (const write of written) {
    if (write.outcome !== 'ok') continue;
    if (owners.has(write.version!)) report('two acknowledged writes have the same version', write);
    owners.set(write.version!, write);
    if (write.ifMatch !== undefined && write.version !== write.ifMatch + 1)
      report('a write with If-Match did not create the next version', write);
  }
  return owners;
}

/**
 * Rule 4: a read finds the text of the write that created its version. A version without an acknowledged write belongs to one
 * unknown write.
 */
function checkReads(
  operations: readonly Operation[],
  owners: Owners,
  unknown: readonly Operation[],
  report: Report,
): void {
  const unknownByNonce = new Map(unknown.map((operation) => [operation.nonce, operation]));
  const unknownVersions = new Map<string, number>();
  for (const read of operations) {
    if (read.kind !== 'read' || read.outcome !== 'ok') continue;
    const owner = owners.get(read.version!) ?? unknownByNonce.get(read.nonce);
    if (!owner) report('a read found a version that no write created', read);
    else if (owner.nonce !== read.nonce) report('a read did not find the text of the write of its version', read);
    else if (owner.start > read.end) report('a read found a write that had not started', read);
    if (owner?.outcome !== 'unknown') continue;
    const version = unknownVersions.get(read.nonce!) ?? read.version!;
    if (version !== read.version) report('an unknown write has two versions', read);
    const { ifMatch } = owner;
    if (ifMatch !== undefined && version !== ifMatch + 1)
      report('a write with If-Match did not create the next version', read);
    unknownVersions.set(read.nonce!, version);
  }
}

/** Rules 2 and 3: no operation sees a version older than one that was known before it started. */
function checkOrder(seen: readonly Operation[], report: Report): void {
  const byEnd = seen.toSorted((one, other) => one.end - other.end);
  let known = 0;
  let ended = 0;
  for (const operation of seen.toSorted((one, other) => one.start - other.start)) {
    for (; ended < byEnd.length && byEnd[ended]!.end < operation.start; ended += 1)
      known = Math.max(known, byEnd[ended]!.version!);
    const wrote = isWrite(operation) && operation.outcome === 'ok';
    if (operation.version! < known) report('a version is older than one that was known before', operation);
    else if (wrote && operation.version === known) report('a write has a version that was known before', operation);
  }
}

/** Rule 5: a 412 is returned only if a newer version may exist. */
function checkStale(
  operations: readonly Operation[],
  owners: Owners,
  unknown: readonly Operation[],
  report: Report,
): void {
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
      report('a 412 was returned although no newer version could exist', operation);
  }
}

/** Rule 6: each version up to the last belongs to one write, acknowledged or unknown; none is lost between. */
function checkVersions(
  operations: readonly Operation[],
  seen: readonly Operation[],
  owners: Owners,
  unknown: readonly Operation[],
  report: Report,
): void {
  const last = Math.max(0, ...seen.map(({ version }) => version!));
  const unowned = last - [...owners.keys()].filter((version) => version <= last).length;
  if (unowned > unknown.length) report(`${unowned} of ${last} versions have no write`, operations.at(-1)!);
}

/** A record is deleted at most once, and no client finds it afterwards. */
function checkDeletion(operations: readonly Operation[], report: Report): void {
  const deletions = operations.filter(({ kind }) => kind === 'delete');
  const done = deletions.filter(({ outcome }) => outcome === 'ok');
  if (done.length > 1) report('a record was deleted twice', done[1]!);
  const firstTry = Math.min(
    ...deletions.filter(({ outcome }) => outcome === 'ok' || outcome === 'unknown').map(({ start }) => start),
  );
  // The first time that a deletion or a 404 showed the record to be deleted.
  const firstGone = Math.min(
    ...operations
      .filter(({ kind, outcome }) => outcome === 'missing' || (kind === 'delete' && outcome === 'ok'))
      .map(({ end }) => end),
  );
  for (const operation of operations) {
    if (operation.outcome === 'missing' && operation.end < firstTry)
      report('a record is missing that no client deleted', operation);
    const isThere = operation.outcome === 'ok' || operation.outcome === 'stale';
    if (isThere && operation.start > firstGone) report('a deleted record came back', operation);
  }
}
