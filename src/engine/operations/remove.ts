/** Deletes a record with its parts, links and texts, and all below it in a tree; their files go when that is on disk. */
import * as commands from '../commands.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import type { ModelField, ModelResource } from '../model.ts';
import type { Value } from '../ports.ts';
import type { Request, Service } from '../service.ts';
import { readBefore } from './before.ts';
import { discardFiles } from './pictures.ts';
import { createRecords } from './records.ts';
import { touchOwner } from './save.ts';
import type { Run } from './stored.ts';
import { runIn } from './stored.ts';

/** @returns a problem, or undefined when the record is gone */
export async function remove(service: Service, request: Request): Promise<Problem | undefined> {
  const { resource } = request.place;
  const outcome = await service.database.transaction<Problem | string[]>(async (transaction) => {
    const run = runIn(transaction);
    const before = await readBefore(service, request, transaction);
    if (isProblem(before)) return before;
    const records = createRecords(service, run, request.language, (name) => transaction.lock(name));
    const obstacle = await resource.declaration.rules?.checkRemoval?.(before.stored, records);
    if (obstacle !== undefined) return problem('conflict', obstacle);
    const files = await deleteRecords(service, run, resource, await withAllBelow(service, run, resource, before.id));
    const now = service.clock.now();
    const removal = { stored: before.stored, now, visitor: request.visitor };
    await resource.declaration.rules?.withinRemoval?.(removal, records);
    const lock = (name: string): Promise<void> => transaction.lock(name);
    await touchOwner({ service, run, lock, language: request.language, now }, resource, before.stored);
    return files;
  });
  if (isProblem(outcome)) return outcome;
  await discardFiles(service, outcome);
  return undefined;
}

/** Deletes the records; gives the names of the files that they and their parts held. */
async function deleteRecords(
  service: Service,
  run: Run,
  resource: ModelResource,
  ids: readonly Value[],
): Promise<string[]> {
  const files: string[] = [];
  for (const { file, by } of filesBelow(service, resource)) {
    const statement = service.statements.get(`files ${file.resource.name} ${by}`, commands.filesOf(file, by));
    for (const [name] of await run(statement, { ids: [...ids] })) files.push(name as string);
  }
  await run(service.statements.get(`delete ${resource.name}`, commands.deleteRecords(resource)), { ids: [...ids] });
  return files;
}

async function withAllBelow(service: Service, run: Run, { tree, name }: ModelResource, id: Value): Promise<Value[]> {
  if (!tree) return [id];
  const rows = await run(service.statements.get(`subtree ${name}`, commands.subtree(tree)), { id });
  const ids = rows.map(([one]) => one as Value);
  // A picture that is being put below one of them has its row before the files are counted, or finds no parent.
  await run(service.statements.get(`lock all ${name}`, commands.lockRecords(tree.resource)), { ids });
  return ids;
}

/** The columns that name files of a record of this resource and of its parts. */
function filesBelow({ model }: Service, resource: ModelResource): { file: ModelField; by: 'record' | 'owner' }[] {
  const own = model.files.filter((file) => file.resource === resource);
  const parts = model.files.filter((file) => file.resource.owner?.target === resource);
  return [
    ...own.map((file) => ({ file, by: 'record' as const })),
    ...parts.map((file) => ({ file, by: 'owner' as const })),
  ];
}
