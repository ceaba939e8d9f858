/** Information about the store, such as its currency and units. */
import { useQuery } from '@tanstack/react-query';
import type { StoreInfoOutput } from 'purveyor/client';
import { store } from '../api/client.ts';

/** @returns undefined while it is loaded */
export function useStoreInfo(): StoreInfoOutput | undefined {
  return useQuery({ queryKey: ['store'], queryFn: async () => (await store.get('/store')).data }).data;
}
