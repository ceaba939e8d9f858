/** Files of earlier versions. No row names such a file, so it may have been removed. */
import { isProblem, type Problem } from '../../errors.ts';
import type { ModelField } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { PreparedFile } from '../../rules.ts';
import { claimFile, disclaimFiles } from '../../unit/released-files.ts';
import type { Service } from '../../unit/service.ts';
import { NOTHING_PREPARED, type Prepared } from '../images/images.ts';

/** Returns the file in a value from the audit, which has its address. */
export function fileIn({ field }: ModelField, value: Value): PreparedFile | undefined {
  const address = value === null ? null : (field.fileIn?.(value) ?? null);
  if (address === null) return undefined;
  const { outputOnly = [] } = field;
  const members = Object.entries(value as Readonly<Record<string, Value>>);
  return {
    name: address.slice(address.lastIndexOf('/') + 1),
    properties: Object.fromEntries(members.filter(([name, each]) => outputOnly.includes(name) && each !== address)),
  };
}

/**
 * Claims the file before `write` opens a unit, so that it is not removed meanwhile.
 * @param write without a prepared file if it no longer exists
 */
export async function withPastFile<T>(
  service: Service,
  file: PreparedFile | undefined,
  write: (prepared: Prepared) => Promise<T | Problem>,
): Promise<T | Problem> {
  if (!file) return write(NOTHING_PREPARED);
  const claim = await claimFile(service, file.name);
  let isWritten = false;
  try {
    const exists = await service.images.has(file.name);
    const outcome = await write(exists ? { own: file, ofParts: new Map(), claims: [claim] } : NOTHING_PREPARED);
    isWritten = exists && !isProblem(outcome);
    return outcome;
  } finally {
    // A claim that cannot be released expires by itself.
    if (!isWritten) await disclaimFiles(service, [claim]).catch(() => {});
  }
}
