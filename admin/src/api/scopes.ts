/** All scopes and masks of the store, which a key or a role can have. */
import { useQuery } from '@tanstack/react-query';
import type { Scopes } from 'purveyor/client';
import { store } from './client.ts';

/** A field that can be hidden. */
export type Mask = Scopes['masks'][number];

export function useScopes() {
  return useQuery({ queryKey: ['scopes'], queryFn: async () => (await store.get('/scopes')).data });
}
