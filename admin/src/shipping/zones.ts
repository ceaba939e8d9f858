/** The zones that rates name. */
import { useQuery } from '@tanstack/react-query';
import type { ZoneOutput } from 'purveyor/client';
import { readZones, ZONES_KEY } from '../taxes/records.ts';
import { useMay } from '../utils/use-may.tsx';

interface Zones {
  /** Undefined until they are loaded, and in sessions that may not read them. */
  readonly all: readonly ZoneOutput[] | undefined;
  nameOf(id: number): string;
}

export function useZones(): Zones {
  const all = useQuery({ queryKey: ZONES_KEY, queryFn: readZones, enabled: useMay('zones:read') }).data;
  return { all, nameOf: (id) => all?.find((zone) => zone.id === id)?.name ?? `${id}` };
}
