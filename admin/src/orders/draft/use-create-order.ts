/** Creates an order, records its payment if it is paid already, and opens it. */
import { type OrderInput, type OrderOutput, StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useNotify, useRedirect, useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage, useFieldErrors } from '../../utils/error-messages.ts';

type FieldErrors = Readonly<Record<string, string>>;

interface Callbacks {
  /** The order was saved, and the form can be left. */
  onCreated(): void;
  /** The order was not saved. */
  onRejected(errors: FieldErrors): void;
}

export function useCreateOrder({ onCreated, onRejected }: Callbacks) {
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const translate = useTranslate();
  const notify = useNotify();
  const redirect = useRedirect();
  const errorMessage = useErrorMessage();
  const fieldErrors = useFieldErrors();

  function reject(found: FieldErrors): void {
    setErrors(found);
    onRejected(found);
  }

  /** Until the payment is recorded, the order awaits it. If that fails, the page of the order can record it. */
  async function pay({ id, order_number: number, total }: OrderOutput, ifMatch: string): Promise<void> {
    const transaction = { type: 'sale', status: 'S', value: total } as const;
    try {
      const body = { payment_status: 'P', ...(total > 0 ? { transaction } : {}) };
      await store.post('/orders/{id}/settle', { id }, body, { ifMatch });
      notify('orders.created', { type: 'success', messageArgs: { number } });
    } catch (error) {
      const messageArgs = { number, reason: errorMessage(error) };
      notify('orders.createdUnpaid', { type: 'warning', autoHideDuration: null, messageArgs });
    }
  }

  async function create(input: OrderInput, isPaid: boolean): Promise<void> {
    if (input.email === '') return reject({ email: translate('violation.required') });
    setBusy(true);
    setErrors({});
    try {
      const { data, etag } = await store.post('/orders', input);
      onCreated();
      if (isPaid) await pay(data, etag!);
      else notify('orders.created', { type: 'success', messageArgs: { number: data.order_number } });
      redirect(`/orders/${data.id}/show`);
    } catch (error) {
      if (error instanceof StoreProblem) reject(fieldErrors(error));
      notify(isOtherTotal(error) ? 'orders.totalChanged' : errorMessage(error), {
        type: 'error',
        autoHideDuration: 10000,
      });
      setBusy(false);
    }
  }

  return { isBusy, errors, create };
}

/** Whether the store has calculated another total than the page showed. */
function isOtherTotal(error: unknown): boolean {
  return (
    error instanceof StoreProblem && error.violations.some(({ propertyPath }) => propertyPath === 'expected_total')
  );
}
