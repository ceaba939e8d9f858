/** The end of the audit (access.md §4). A copy outside of the store proves later that no entry was changed. */
import { auditEnd, chainAudit, type Service } from '../../engine/index.ts';

const SECONDS_PER_DAY = 24 * 3600;

/** Returns the last entry, including everything acknowledged before the call; null if there is none. */
export async function readAuditHead(service: Service): Promise<{ id: number | null; hash: string | null }> {
  await chainAudit(service);
  const { id, hash } = await auditEnd(service, (...statement) => service.database.query(...statement));
  return id === 0 ? { id: null, hash: null } : { id, hash };
}

/**
 * Returns a function that logs the end of the audit once a day, in the form of `check --audit-head`.
 * @param isFirstNow whether also on its first call, rather than after a day
 */
export function dailyAuditHead(
  service: Service,
  log: { info(details: object, message: string): void },
  isFirstNow: boolean,
): () => Promise<void> {
  let next = isFirstNow ? 0 : service.clock.now() + SECONDS_PER_DAY;
  return async () => {
    const now = service.clock.now();
    if (now < next) return;
    const { id, hash } = await readAuditHead(service);
    next = now + SECONDS_PER_DAY;
    if (id !== null) log.info({ auditHead: `${id}:${hash}` }, 'end of the audit');
  };
}
