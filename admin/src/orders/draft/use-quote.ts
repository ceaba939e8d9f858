/** Asks the store what an order would be, without storing it: prices, totals, and what is wrong with it. */
import { useQuery } from '@tanstack/react-query';
import type { OrderOutput } from 'purveyor/client';
import { useEffect, useState } from 'react';
import { store } from '../../api/client.ts';

/** Typing ends a moment before the store is asked. */
const DELAY_MS = 350;

/** Sends the body of a POST with `dry_run`. The order is as it would be: without an identifier if it is new. */
export async function quote(
  path: '/orders' | '/orders/{id}/edit',
  id: number | null,
  body: object,
): Promise<OrderOutput> {
  const send = store.post as unknown as (...sent: unknown[]) => Promise<{ data: OrderOutput }>;
  const parameters = id === null ? [] : [{ id }];
  return (await send(path, ...parameters, body, { dryRun: true })).data;
}

/** @param body undefined while there is nothing to ask for; as JSON, so that it can be compared */
export function useQuote(path: '/orders' | '/orders/{id}/edit', id: number | null, body: string | undefined) {
  const [asked, setAsked] = useState(body);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(body), DELAY_MS);
    return () => clearTimeout(timer);
  }, [body]);
  const { data, error, isFetching } = useQuery({
    queryKey: ['quote', path, id, asked],
    queryFn: () => quote(path, id, JSON.parse(asked!)),
    enabled: asked !== undefined,
    retry: false,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const isCurrent = asked === body && !isFetching;
  return { order: asked === undefined ? undefined : data, error: isCurrent ? error : null, isCurrent };
}
