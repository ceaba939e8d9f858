/** Edits the e-mail, the addresses and the shipping method of an order. */
import { TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { AddressFields, addressInput, addressValues } from '../../forms/address-fields.tsx';
import { StepDialog } from '../actions/step-dialog.tsx';
import { type StepCallbacks, useSettle } from '../actions/use-settle.ts';
import type { LoadedOrder } from '../load-order.ts';

export function EditContactDialog({ loaded, ...callbacks }: { loaded: LoadedOrder } & StepCallbacks) {
  const { order } = loaded;
  const [email, setEmail] = useState(order.email);
  const [billing, setBilling] = useState(addressValues(order.billing_address));
  const [shipping, setShipping] = useState(addressValues(order.shipping_address));
  const [method, setMethod] = useState(order.shipping_method_name ?? '');
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);

  function save(): Promise<void> {
    const changed = {
      ...(email === order.email ? {} : { email }),
      ...(method === (order.shipping_method_name ?? '') ? {} : { shipping_method_name: method || null }),
      ...{ billing_address: addressInput(billing), shipping_address: addressInput(shipping) },
    };
    return step.run(() => store.patch('/orders/{id}', { id: order.id }, changed, { ifMatch: loaded.etag }));
  }

  return (
    <StepDialog
      title="orders.editContact"
      confirm="button.save"
      step={step}
      maxWidth="md"
      onConfirm={() => void save()}
      onClose={callbacks.onClose}
    >
      <TextField
        type="email"
        label={translate('field.email')}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <TextField
        label={translate('field.shipping_method_name')}
        value={method}
        onChange={({ target }) => setMethod(target.value)}
      />
      {(
        [
          ['orders.shippingAddress', shipping, setShipping],
          ['orders.billingAddress', billing, setBilling],
        ] as const
      ).map(([title, values, setValues]) => (
        <fieldset key={title} style={{ border: 0, margin: 0, padding: 0 }}>
          <Typography variant="h6" component="legend" sx={{ mt: 2 }}>
            {translate(title)}
          </Typography>
          <AddressFields values={values} onChange={setValues} />
        </fieldset>
      ))}
    </StepDialog>
  );
}
