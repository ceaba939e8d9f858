/**
 * Sends a step of an order as one request: statuses, payment, shipment and return together, or none of them. If the order is not the one
 * that the user saw, nothing is changed.
 */
import { type OrderSettleInput, StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import type { LoadedOrder } from '../load-order.ts';

export interface StepCallbacks {
  onDone(): Promise<void>;
  onClose(): void;
}

export interface Step {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Sends requests that change the order. The dialog closes if they succeed. */
  run(send: () => Promise<unknown>): Promise<void>;
  settle(body: OrderSettleInput): Promise<void>;
}

export function useSettle({ order, etag }: LoadedOrder, { onDone, onClose }: StepCallbacks): Step {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const notify = useNotify();
  const errorMessage = useErrorMessage();

  async function run(send: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await send();
      notify('state.saved', { type: 'success' });
      onClose();
    } catch (error) {
      const isConflict = error instanceof StoreProblem && error.status === 412;
      setProblem(isConflict ? 'orders.changedMeanwhile' : errorMessage(error));
    }
    setBusy(false);
    await onDone();
  }

  return {
    ...{ isBusy, problem, run },
    settle: (body) => run(() => store.post('/orders/{id}/settle', { id: order.id }, body, { ifMatch: etag })),
  };
}
