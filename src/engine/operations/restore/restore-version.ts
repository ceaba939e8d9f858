/** Restores a record to an earlier version, in one unit: the fields of its PATCH or PUT, in all languages (access.md §4). */
import { isProblem, type Problem, problem } from '../../errors.ts';
import { recordAddress } from '../../model/addresses.ts';
import type { ModelField } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { PreparedFile } from '../../rules.ts';
import { committed, type Reads } from '../../unit/reads.ts';
import type { Condition, RequestOptions, Service, Target, Versioned, Written } from '../../unit/service.ts';
import { inUnit, type Unit } from '../../unit/unit.ts';
import { NOTHING_PREPARED, type Prepared } from '../images/images.ts';
import { readBefore } from '../read.ts';
import { fileIn, withPastFile } from './past-file.ts';
import { currentValues, erasedAmong, type PastValues, restorableFields, valuesAt } from './past-values.ts';
import { type Difference, differenceOf, fieldsOf, isEmpty, writeDifference } from './write-past-values.ts';

interface RestoreOptions {
  readonly version: number;
  readonly condition?: Condition | undefined;
  /** The languages whose texts the client can write. */
  readonly languages: readonly string[];
  /** Rejects the fields that the restore changes. */
  readonly check: (fields: Readonly<Record<string, Value>>, now: Versioned) => Problem | undefined;
}

/** @param work runs in the unit around the restore, and may run again */
export async function restoreVersion<T>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  options: RestoreOptions,
  work: (unit: Unit, restored: () => Promise<Written | Problem>) => Promise<T | Problem>,
): Promise<T | Problem> {
  const file = await fileBefore(committed(service, requestOptions), requestOptions, target, options);
  return withPastFile(service, file, (prepared) =>
    inUnit(service, requestOptions, (unit) => work(unit, () => restore(unit, target, options, prepared))),
  );
}

/** Finds the file that the version has, and the record no longer. The unit looks for it again. */
async function fileBefore(
  reads: Reads,
  requestOptions: RequestOptions,
  target: Target,
  { version, languages }: RestoreOptions,
): Promise<PreparedFile | undefined> {
  const { route } = target;
  const { resource } = route;
  const fields = versionedFields(target, requestOptions).filter(({ field }) => field.fileIn);
  const shown = fields.length > 0 ? await reads.shown(target) : undefined;
  if (!shown) return undefined;
  const now = { id: shown.record[resource.identifierField] ?? target.id ?? null, version: shown.version };
  const past = await valuesAt(reads, resource, now, pathOf(target), version);
  if (isProblem(past)) return undefined;
  const current = await currentValues(reads, resource, now.id);
  return fileOf(differenceOf(fields, past, current, languages), current);
}

/** How often values are written, because rules may change some that are not sent. */
const ROUNDS_MAX = 2;

async function restore(
  unit: Unit,
  target: Target,
  { version, condition, languages, check }: RestoreOptions,
  prepared: Prepared,
): Promise<Written | Problem> {
  const { route } = target;
  const { resource } = route;
  const before = await readBefore(unit, target, condition);
  if (isProblem(before)) return before;
  const past = await valuesAt(unit, resource, before, pathOf(target), version);
  if (isProblem(past)) return past;
  const fields = versionedFields(target, unit.requestOptions);
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const current = await currentValues(unit, resource, before.id);
    const difference = differenceOf(fields, past, current, languages);
    if (isEmpty(difference)) break;
    const texts = [...difference.texts.values()].flatMap((own) => [...own.values()]);
    const file = fileOf(difference, current);
    const rejected =
      check(fieldsOf(difference), before) ??
      erasedAmong([...difference.plain.values(), ...texts]) ??
      rejectFile(file, prepared) ??
      (await writeDifference(unit, target, before.id, difference, file ? prepared : NOTHING_PREPARED));
    if (rejected) return rejected;
  }
  unit.records.restored(resource, before.id);
  return { ...(await unit.shown(target))!, target };
}

/** The fields that have their earlier values again afterwards. */
function versionedFields({ route }: Target, requestOptions: RequestOptions): ModelField[] {
  return restorableFields(route.updates, requestOptions).filter(({ field }) => !field.preservedOnRestore);
}

function pathOf({ route, parents, id }: Target): string {
  return recordAddress(route, parents, id);
}

/** The file of the earlier version, unless the record has the same one. */
function fileOf({ plain }: Difference, current: PastValues): PreparedFile | undefined {
  for (const [field, value] of plain) {
    const file = fileIn(field, value);
    if (file && file.name !== fileIn(field, current.get(field.name) ?? null)?.name) return file;
  }
  return undefined;
}

function rejectFile(file: PreparedFile | undefined, { own }: Prepared): Problem | undefined {
  if (!file || file.name === own?.name) return undefined;
  return problem(
    'conflict',
    `The file ${file.name} of this version no longer exists. Upload it again, or restore another version.`,
  );
}
