/** Exports in the audit (access.md §4). Their entries are written before the client receives data. */
import { type Actor, API_PATH, type Service, type Target, writeAuditEntries } from '../../engine/index.ts';

/** Records that a collection is exported. */
export function recordExport(
  service: Service,
  { route, parents }: Pick<Target, 'route' | 'parents'>,
  by: Actor,
): Promise<void> {
  let parent = 0;
  const path = route.collectionPath.replace(/\{\w+\}/g, () => {
    parent += 1;
    return String(parents[parent - 1]);
  });
  return record(service, by, {
    ...{ action: 'export', resource: route.resource.name, path: `${API_PATH}${path}`, changes: {} },
  });
}

/** Records that the data of a person is exported. @param paths of the records, without their parts */
export function recordPrivacyExport(service: Service, paths: readonly string[], by: Actor): Promise<void> {
  const changes = { exported: { after: [...paths], before: null } };
  return record(service, by, { action: 'privacy_export', resource: null, path: null, changes });
}

type Entry = Pick<Parameters<typeof writeAuditEntries>[3][number], 'action' | 'resource' | 'path' | 'changes'>;

function record(service: Service, by: Actor, entry: Entry): Promise<void> {
  return service.database.transaction((transaction) =>
    writeAuditEntries(service, transaction, by, [{ ...entry, record: null, version: null }]),
  );
}
