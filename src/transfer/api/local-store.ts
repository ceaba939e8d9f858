/** `StoreApi` for the store in the settings: calls the engine in this process, in the store's default language. */
import {
  type Actor,
  type BulkForm,
  type BulkOutcome,
  type BulkTask,
  batchLinesMax,
  committed,
  DatabaseUnavailable,
  exportRecords,
  ITEMS_PER_PAGE_MAX,
  isProblem,
  type ListQuery,
  list,
  type Problem,
  problem,
  problemTypes,
  type RequestOptions,
  read,
  readBulkTask,
  readExportQuery,
  readingOf,
  readListQuery,
  removeInBatches,
  type Service,
  type Target,
  type Value,
  type Written,
  writeAtomically,
  writeLines,
  writeRecord,
} from '../../engine/index.ts';
import { oldUrlsOf } from '../../shop/old-urls.ts';
import { recordExport } from '../../store/audit/recorded-exports.ts';
import { oneTimeImport, rejectRepeatedImport, writeOnce } from '../../store/imported-images.ts';
import { ownRequestOptions, targetAt } from '../../store/own-requests.ts';
import { readStoreState } from '../../store/state.ts';
import { fillSettings } from '../../wiring/first-start.ts';
import { claimImages } from '../../wiring/image-owner.ts';
import { environmentOf, openStore } from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { openExport } from './open-export.ts';
import type { ApiRecord, BulkOptions, Filter, Ids, LineResult, Rejection, Saved, StoreApi } from './store-api.ts';

/** Opens the store and migrates it to the newest schema. A server may be running on it. @param by who reads or writes */
export async function openLocal(
  config: Config,
  by: Pick<Actor, 'type' | 'id'>,
): Promise<{ api: StoreApi; close: () => Promise<void> }> {
  const baseUrl = config.baseUrl || `http://${config.host}:${config.port}`;
  const { service, close } = await openStore(config, { environment: { ...environmentOf(config), baseUrl } });
  try {
    await claimImages(service, config);
    await fillSettings(service, config);
    const { defaultLanguage } = await readStoreState(service);
    return { api: localStoreApi(service, ownRequestOptions(defaultLanguage, by)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function localStoreApi(service: Service, requestOptions: RequestOptions): StoreApi {
  return {
    async *list(path, ids = [], filter = {}) {
      const target = targetOf(service, path, ids);
      const listQuery = readListQuery(target.route, queryOf(filter), readingOf(service, requestOptions)) as ListQuery;
      for (let number = 1; ; number += 1) {
        const page = await list(service, requestOptions, target, {
          ...listQuery,
          page: number,
          itemsPerPage: ITEMS_PER_PAGE_MAX,
        });
        if (isProblem(page)) return;
        yield* page.records;
        if (page.records.length < ITEMS_PER_PAGE_MAX) return;
      }
    },
    async find(path, ids) {
      const found = await read(service, requestOptions, targetOf(service, path, ids));
      return isProblem(found) ? undefined : found.record;
    },
    async post(path, ids, body) {
      const target = targetOf(service, path, ids);
      const imported = oneTimeImport(target, body);
      const repeated = imported && (await rejectRepeatedImport(committed(service, requestOptions), imported));
      return saved(
        repeated ??
          (await writeRecord(service, requestOptions, target, 'create', body, {}, (unit, write) =>
            imported ? writeOnce(unit, imported, write) : write(),
          )),
      );
    },
    async patch(path, ids, body) {
      return saved(await writeRecord(service, requestOptions, targetOf(service, path, ids), 'patch', body));
    },
    async remove(path, ids) {
      const outcome = await removeInBatches(service, requestOptions, targetOf(service, path, ids));
      const rejection = isProblem(outcome) ? rejectionOf(outcome) : undefined;
      return rejection?.status === 404 ? undefined : rejection;
    },
    // The store in the settings is only ever written to by imports that read files.
    download: async () => undefined,
    async oldUrls(collection, id) {
      const route = service.model.routes.find(({ collectionPath }) => collectionPath === collection)!;
      const found = await oldUrlsOf(service, requestOptions, targetAt(route, { id }));
      return isProblem(found) ? [] : found.map(({ clean_url }) => clean_url);
    },
    bulk: (path, lines, options = {}) => writeBulk(service, requestOptions, path, lines, options),
    async export(path, filter = {}) {
      const target = targetOf(service, path, []);
      const listQuery = readExportQuery(target.route, queryOf(filter), readingOf(service, requestOptions)) as ListQuery;
      await recordExport(service, target, requestOptions.actor);
      return openExport((work) => exportRecords(service, requestOptions, target, listQuery, work, (query) => query()));
    },
  };
}

/**
 * Resolves a path of the API reference, or throws if there is no such path.
 * @param ids values for its braces; on the path of a record, the last one identifies the record
 */
function targetOf({ model }: Service, path: string, ids: Ids): Target {
  const route = model.routes.find((each) => each.path === path || each.collectionPath === path);
  if (!route) throw new Error(`There is no path ${path}.`);
  const isItem = route.path === path && route.parameter !== undefined;
  return targetAt(route, isItem ? { parents: ids.slice(0, -1) as Value[], id: ids.at(-1)! } : { parents: [...ids] });
}

function saved(outcome: Written | Problem): Saved {
  return isProblem(outcome)
    ? { ok: false, ...rejectionOf(outcome) }
    : { ok: true, id: outcome.record.id as number, record: outcome.record };
}

async function* writeBulk(
  service: Service,
  requestOptions: RequestOptions,
  path: string,
  lines: Iterable<ApiRecord> | AsyncIterable<ApiRecord>,
  { ids = [], key, mode = 'upsert', write = 'patch', past = false, dryRun = false }: BulkOptions,
): AsyncGenerator<LineResult> {
  const { route, parents } = targetOf(service, path, ids);
  const by = route.resource.fields.get(key ?? route.resource.bulk!.by.name)!;
  const form: BulkForm = { route, parents, by, mode, write: write === 'put' ? 'replace' : 'patch', conditionOf };
  const writer: RequestOptions = { ...requestOptions, past };
  let number = 0;
  for await (const group of groupsOf(lines, dryRun ? DRY_RUN_LINES_MAX : batchLinesMax(service))) {
    const lineTasks = group.map((line) => ({ line, task: readBulkTask(service, writer, form, line) }));
    const outcomes = await writeBatch(service, writer, lineTasks, dryRun);
    for (const [index, { line, task }] of lineTasks.entries()) {
      number += 1;
      const givenKey = isProblem(task) ? (line.key ?? line[by.name] ?? null) : task.key;
      yield { line: number, key: givenKey as LineResult['key'], ...resultOf(outcomes[index]!) };
    }
  }
}

interface LineTask {
  readonly line: ApiRecord;
  readonly task: BulkTask | Problem;
}

function writeBatch(
  service: Service,
  writer: RequestOptions,
  batch: readonly LineTask[],
  dryRun: boolean,
): Promise<readonly BulkOutcome[]> {
  if (!dryRun) return writeLines(service, writer, batch, (work) => work(), problemOf);
  return writeAndRollBack(
    service,
    writer,
    batch.map(({ task }) => task),
  );
}

/** The lines of a dry run that share a transaction, which blocks other writers. */
const DRY_RUN_LINES_MAX = 200;

async function writeAndRollBack(
  service: Service,
  requestOptions: RequestOptions,
  tasks: readonly (BulkTask | Problem)[],
): Promise<BulkOutcome[]> {
  const options = { isTrial: true, checkpoint: async () => undefined, withSlot: <T>(work: () => Promise<T>) => work() };
  const outcomes = await writeAtomically<BulkOutcome[]>(service, requestOptions, tasks, options, (_, write) => write());
  if (isProblem(outcomes)) throw new Error(outcomes.detail);
  return outcomes;
}

async function* groupsOf(
  lines: Iterable<ApiRecord> | AsyncIterable<ApiRecord>,
  linesMax: number,
): AsyncGenerator<ApiRecord[]> {
  let group: ApiRecord[] = [];
  for await (const line of lines) {
    group.push(line);
    if (group.length < linesMax) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function queryOf(filter: Filter): string {
  const pairs = Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((one): [string, string] => [`${name}[]`, one]) : [[name, String(value)]],
  );
  return String(new URLSearchParams(pairs));
}

function resultOf(outcome: BulkOutcome): Pick<LineResult, 'result' | 'id' | 'rejection'> {
  if (isProblem(outcome)) return { result: 'failed', id: null, rejection: rejectionOf(outcome) };
  return { result: outcome.result, id: outcome.id as LineResult['id'] };
}

function rejectionOf({ problem: type, violations, detail }: Problem): Rejection {
  const problems = violations?.map(({ propertyPath, code, message }) => ({ path: propertyPath, code, message }));
  return { status: problemTypes[type].status, problems: problems ?? [{ path: '', message: detail }] };
}

/** Compares record versions only: an entity tag is computed from an HTTP response. */
const conditionOf: BulkForm['conditionOf'] = (ifMatch) => (now) =>
  ifMatch === now.version || ifMatch === '*'
    ? undefined
    : problem(
        'precondition-failed',
        typeof ifMatch === 'number'
          ? `The record has changed: its version is now ${now.version}. Read it again and send that version.`
          : 'Entity tags are compared only over HTTP. Send the record version, or import with --store.',
      );

/** Reports an internal error on its line, so that the other lines can succeed. @throws if the database is unavailable */
function problemOf(error: unknown): Problem {
  if (error instanceof DatabaseUnavailable) throw error;
  return problem('internal-error', (error as Error).message);
}
