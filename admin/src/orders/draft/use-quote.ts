/** Asks the store what an order would be, without storing it: prices, totals, and what is wrong with it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OrderOutput, OrderQuoteInput, OrderQuoteOutput, OrderRefundableOutput } from 'purveyor/client';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { type Quoted, quotedOf } from './quoted.ts';

/** Typing ends a moment before the store is asked. */
const DELAY_MS = 350;

/** Only for an order without a calculation: the store requires an address, which may not have been entered yet. */
const NO_EMAIL = 'quote@example.com';

interface QuoteRequest {
  readonly order: OrderQuoteInput;
  /** The store calculates the discounts and taxes. */
  readonly isCalculated: boolean;
}

/** What a new order would be. */
export function useOrderQuote(request: QuoteRequest | undefined) {
  const translate = useTranslate();
  const { found, ...state } = useQuote<QuoteRequest, OrderOutput | OrderQuoteOutput>('new', request, (sent) =>
    sent.isCalculated ? store.post('/orders/quote', sent.order) : dryRun('/orders', { ...sent.order, email: NO_EMAIL }),
  );
  const quoted: Quoted | undefined = found && 'totals' in found ? quotedOf(found, translate) : found;
  return { quoted, ...state };
}

/** What an order would be after an edit. */
export function useEditPreview(id: number, body: object | undefined) {
  return useQuote<object, OrderOutput>(`${id}`, body, (sent) => dryRun('/orders/{id}/edit', { id }, sent));
}

interface CreditRequest {
  /** Id of an invoice. */
  readonly of: number;
  readonly lines?: readonly { readonly item_id: number; readonly amount: number }[];
}

/** What a credit note of some units would be. */
export function useCreditPreview(id: number, request: CreditRequest | undefined) {
  return useQuote<CreditRequest, OrderRefundableOutput>(`credit-${id}`, request, ({ of, lines = [] }) => {
    const items = Object.fromEntries(lines.map(({ item_id, amount }) => [item_id, amount]));
    return store.get('/orders/{id}/refundable', { id }, { filter: { items, invoice: of } });
  });
}

/** Sends the body of a POST with `dry_run`. The order is as it would be: without an identifier if it is new. */
export function dryRun(
  path: '/orders' | '/orders/{id}/edit' | '/orders/{id}/settle',
  ...sent: readonly object[]
): Promise<{ data: OrderOutput }> {
  const send = store.post as unknown as (...sent: unknown[]) => Promise<{ data: OrderOutput }>;
  return send(path, ...sent, { dryRun: true });
}

/**
 * @param key distinguishes what is asked for
 * @param request undefined while there is nothing to ask for
 */
function useQuote<Sent, Found>(
  key: string,
  request: Sent | undefined,
  ask: (request: Sent) => Promise<{ data: Found }>,
) {
  // As text, so that it can be compared.
  const body = request && JSON.stringify(request);
  const [asked, setAsked] = useState(body);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(body), DELAY_MS);
    return () => clearTimeout(timer);
  }, [body]);
  const { data, error, isFetching, refetch } = useQuery<Found>({
    queryKey: ['quote', key, asked],
    queryFn: async () => (await ask(JSON.parse(asked!) as Sent)).data,
    enabled: asked !== undefined,
    retry: false,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const isCurrent = asked === body && !isFetching;
  return {
    found: asked === undefined ? undefined : data,
    error: isCurrent ? error : null,
    isCurrent,
    /** What was found is for this request. */
    isReady: isCurrent && error === null && data !== undefined,
    /** Asks again, because the store has rejected what it returned. */
    renew: () => void refetch(),
  };
}
