/**
 * Bulk writes of parts of several owners, such as the wholesale prices of products and variants. The key of a line identifies the
 * owner, and the owner determines the route of the record.
 */
import { type Problem, problem, validationFailed } from '../errors.ts';
import type { JsonObject } from '../fields/members.ts';
import type { ModelResource, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import { type Body, readBody, type WriteMode } from '../request/body.ts';
import type { BulkLine } from '../request/bulk-line.ts';
import type { CollectedRecord } from '../resource.ts';
import { looseMatch } from '../text-forms.ts';
import type { Reads } from '../unit/reads.ts';
import { type RequestOptions, readingOf, type Service, type Target } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import type { BulkForm, BulkTask } from './bulk-task.ts';
import { missing, type Named, removeNamed, type Upserted, upsert } from './upsert.ts';

/** Returns the task of a valid line. */
export function collectedTask(
  service: Service,
  requestOptions: RequestOptions,
  form: BulkForm,
  line: BulkLine,
): BulkTask {
  const { route, by } = form;
  const { op, key, ifMatch, body } = line;
  const named = {
    ...{ by, key, target: { route, parents: [], id: null } },
    condition: ifMatch === undefined ? undefined : form.conditionOf(ifMatch),
  };
  const write = async (unit: Unit): Promise<Upserted | Problem> => {
    const found = await locate(unit, named);
    if (!found) return withoutOwner(named, line, form);
    const target = targetOf(by.resource, found);
    const at: Named = { ...named, target, find: async (reads) => (await locate(reads, named))?.id };
    if (op === 'delete') return removeNamed(unit, at);
    const reading = readingOf(service, requestOptions);
    const input = by.isIdentifier ? body : withoutOutput(target.route, body);
    const bodyFor = (kind: WriteMode): Body => {
      const read = readBody(target.route, kind, input, reading);
      if (isMoved(named, body)) read.violations.add(by.name, 'read_only', 'A record cannot be moved to another owner.');
      return read;
    };
    return upsert(unit, { ...at, mode: form.mode, write: form.write, createsOnly: false, bodyFor }, found);
  };
  return {
    ...{ key, write, names: namesOf(form, key, body), createOnly: [] },
    ...{ keyColumn: undefined, preparedImages: undefined, checkNew: async () => undefined },
  };
}

/** Finds the record by its identifier or by the fields of its key. */
async function locate(reads: Reads, { by, key }: Pick<Named, 'by' | 'key'>): Promise<CollectedRecord | undefined> {
  const { name, bulk } = by.resource;
  if (!by.isIdentifier) return bulk!.collected!.locate(key as Readonly<Record<string, Value>>, reads);
  const stored = await reads.read(name, key);
  return stored && { links: stored, id: key };
}

/** The route whose parents and fixed values are those of the record. */
function targetOf({ routes }: ModelResource, { links }: CollectedRecord): Target {
  const route = routes.find(
    ({ operations, fixed, parents }) =>
      operations.has('create') &&
      [...fixed].every(([field, value]) => links[field.name] === value) &&
      parents.every(({ field }) => typeof links[field!.name] === 'number'),
  )!;
  return { route, parents: route.parents.map(({ field }) => links[field!.name]!), id: null };
}

/** The result of a line for which neither a record nor an owner exists. */
function withoutOwner(named: Named, { op }: BulkLine, { mode, by }: BulkForm): Upserted | Problem {
  if (op === 'delete' && !named.condition) return { result: 'unchanged', id: null, version: null };
  if (named.condition) return problem('precondition-failed', 'There is no such record, but if_match requires one.');
  if (by.isIdentifier || mode === 'update') return missing(named);
  const owner = (named.key as Readonly<Record<string, Value>>)[by.name];
  const message = `There is no record with the ${by.name} ${JSON.stringify(owner)}.`;
  return validationFailed([{ propertyPath: by.name, code: 'unknown_link', message }]);
}

/** The input without the values that the owner determines, so that a line can be sent to another store. */
function withoutOutput({ inserts, updates, outputs }: ModelRoute, body: JsonObject): JsonObject {
  const isOutput = new Set(
    outputs.filter((field) => !inserts.has(field) && !updates.has(field)).map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isOutput.has(name)));
}

/** Whether the body has a different owner from the key. */
function isMoved({ by, key }: Pick<Named, 'by' | 'key'>, body: JsonObject): boolean {
  if (by.isIdentifier || body[by.name] === undefined) return false;
  return body[by.name] !== (key as Readonly<Record<string, Value>>)[by.name];
}

/** Names of the record before and after the line, which can change the key. */
function namesOf({ by }: BulkForm, key: Value, body: JsonObject): string[] {
  if (by.isIdentifier) return [looseMatch(String(key))];
  const before = key as Readonly<Record<string, Value>>;
  const after = Object.entries(before).map(([name, value]) => [name, body[name] === undefined ? value : body[name]]);
  return [...new Set([before, Object.fromEntries(after)].map((each) => looseMatch(JSON.stringify(each))))];
}
