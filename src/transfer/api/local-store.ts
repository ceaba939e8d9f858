/** The store of this machine's settings, asked through its own operations in its default language (`store-api.ts`). */
import {
  BATCH_LINES_MAX,
  type BulkForm,
  type BulkOutcome,
  type BulkTask,
  batchesOf,
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
  readListQuery,
  removeInBatches,
  type Service,
  save,
  type Target,
  type Value,
  type Written,
  writeAtomically,
  writeLines,
} from '../../engine/index.ts';
import { oneTimeImport, rejectRepeatedImport, writeOnce } from '../../store/imported-images.ts';
import { ownRequestOptions, targetAt } from '../../store/own-requests.ts';
import { readStoreState } from '../../store/state.ts';
import type { Config } from '../../wiring/config.ts';
import { fillSettings } from '../../wiring/first-start.ts';
import { claimImages } from '../../wiring/image-owner.ts';
import { environmentOf, openStore } from '../../wiring/open.ts';
import { recordsOf } from './parts-of-export.ts';
import type { BulkOptions, Filter, Ids, LineResult, Refused, Saved, Shown, StoreApi } from './store-api.ts';

/** Opens the store, brought to the newest schema; a server may run meanwhile. */
export async function openLocal(config: Config): Promise<{ api: StoreApi; close: () => Promise<void> }> {
  const baseUrl = config.baseUrl || `http://${config.host}:${config.port}`;
  const { service, close } = await openStore(config, { environment: { ...environmentOf(config), baseUrl } });
  try {
    await claimImages(service, config);
    await fillSettings(service, config);
    const { defaultLanguage } = await readStoreState(service);
    return { api: localStoreApi(service, ownRequestOptions(defaultLanguage)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function localStoreApi(service: Service, requestOptions: RequestOptions): StoreApi {
  const { model, environment } = service;

  /** The place of a path, and what its braces stand for; `isItem`: the last of them is the record itself. */
  function targetOf(path: string, ids: Ids): Target {
    const route = model.routes.find((each) => each.path === path || each.collectionPath === path);
    if (!route) throw new Error(`There is no path ${path}.`);
    const isItem = route.path === path && route.parameter !== undefined;
    return targetAt(route, isItem ? { parents: ids.slice(0, -1) as Value[], id: ids.at(-1)! } : { parents: [...ids] });
  }

  function saved(outcome: Written | Problem): Saved {
    return isProblem(outcome)
      ? { ok: false, ...refusedBy(outcome) }
      : { ok: true, id: outcome.record.id as number, record: outcome.record };
  }

  async function* writeBulk(
    path: string,
    lines: Iterable<Shown> | AsyncIterable<Shown>,
    { ids = [], key, mode = 'upsert', write = 'patch', past = false, dryRun = false }: BulkOptions,
  ): AsyncGenerator<LineResult> {
    const { route, parents } = targetOf(path, ids);
    const { resource } = route;
    const by = resource.fields.get(key ?? resource.bulk!.by.name)!;
    const form: BulkForm = { route, parents, by, mode, write: write === 'put' ? 'replace' : 'patch', conditionOf };
    const writer: RequestOptions = { ...requestOptions, past };
    let number = 0;
    const linesMax = dryRun ? TRIAL_LINES_MAX : BATCH_LINES_MAX;
    for await (const mergeVariants of inBatches(lines, linesMax)) {
      const tasks = mergeVariants.map((line) => ({ line, task: readBulkTask(service, writer, form, line) }));
      for (const batch of dryRun ? [tasks] : batchesOf(tasks)) {
        const outcomes = await (dryRun
          ? tryOut(
              service,
              writer,
              batch.map(({ task }) => task),
            )
          : writeLines(service, writer, batch, (work) => work(), failed));
        for (const [index, { line, task }] of batch.entries()) {
          number += 1;
          const named = isProblem(task) ? (line.key ?? line[by.name] ?? null) : task.key;
          yield { line: number, key: named as LineResult['key'], ...resultOf(outcomes[index]!) };
        }
      }
    }
  }

  return {
    async *list(path, ids = [], filter = {}) {
      const target = targetOf(path, ids);
      const listQuery = readListQuery(target.route, queryOf(filter), environment, false) as ListQuery;
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
      const found = await read(service, requestOptions, targetOf(path, ids));
      return isProblem(found) ? undefined : found.record;
    },
    async post(path, ids, body) {
      const target = targetOf(path, ids);
      const imported = oneTimeImport(target, body);
      const repeated = imported && (await rejectRepeatedImport(committed(service, requestOptions), imported));
      return saved(
        repeated ??
          (await save(service, requestOptions, target, 'create', body, {}, (unit, write) =>
            imported ? writeOnce(unit, imported, write) : write(),
          )),
      );
    },
    async patch(path, ids, body) {
      return saved(await save(service, requestOptions, targetOf(path, ids), 'patch', body));
    },
    async remove(path, ids) {
      const outcome = await removeInBatches(service, requestOptions, targetOf(path, ids));
      const refused = isProblem(outcome) ? refusedBy(outcome) : undefined;
      return refused?.status === 404 ? undefined : refused;
    },
    bulk: (path, lines, options = {}) => writeBulk(path, lines, options),
    export(path, filter = {}) {
      const target = targetOf(path, []);
      const listQuery = readExportQuery(target.route, queryOf(filter), environment, false) as ListQuery;
      return recordsOf((work) => exportRecords(service, requestOptions, target, listQuery, work, (ask) => ask()));
    },
  };
}

/** Nobody else writes meanwhile. */
const TRIAL_LINES_MAX = 200;

async function tryOut(service: Service, requestOptions: RequestOptions, tasks: readonly (BulkTask | Problem)[]) {
  const options = { isTrial: true, checkpoint: async () => undefined, withSlot: <T>(work: () => Promise<T>) => work() };
  const outcomes = await writeAtomically<BulkOutcome[]>(service, requestOptions, tasks, options, (_, write) => write());
  if (isProblem(outcomes)) throw new Error(outcomes.detail);
  return outcomes;
}

/** Lines as many as are written together, in an order that their results keep. */
async function* inBatches(lines: Iterable<Shown> | AsyncIterable<Shown>, linesMax: number): AsyncGenerator<Shown[]> {
  let batch: Shown[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < linesMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function queryOf(filter: Filter): string {
  const pairs = Object.entries(filter).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((one): [string, string] => [`${name}[]`, one]) : [[name, String(value)]],
  );
  return String(new URLSearchParams(pairs));
}

function resultOf(outcome: BulkOutcome): Pick<LineResult, 'result' | 'id' | 'refused'> {
  if (isProblem(outcome)) return { result: 'failed', id: null, refused: refusedBy(outcome) };
  return { result: outcome.result, id: outcome.id as LineResult['id'] };
}

function refusedBy({ problem: type, violations, detail }: Problem): Refused {
  const problems = violations?.map(({ propertyPath, message }) => ({ path: propertyPath, message }));
  return { status: problemTypes[type].status, problems: problems ?? [{ path: '', message: detail }] };
}

/** A tag is made of an answer over HTTP. */
const conditionOf: BulkForm['conditionOf'] = (ifMatch) => (now) =>
  ifMatch === now.version || ifMatch === '*'
    ? undefined
    : problem(
        'precondition-failed',
        typeof ifMatch === 'number'
          ? `The record has version ${now.version} now; read it again.`
          : 'A tag is compared only over HTTP: send the version, or import with --store.',
      );

/** A fault of the program's own, at one line: the others may pass. @throws where the database is gone */
function failed(error: unknown): Problem {
  if (error instanceof DatabaseUnavailable) throw error;
  return problem('internal-error', (error as Error).message);
}
