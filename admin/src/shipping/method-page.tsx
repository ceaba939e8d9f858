/** The page of a shipping method: what it is, its rates, and the orders that have none. */
import { Button, Chip, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ShippingMethodOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, Title, useRedirect, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { AddressLines } from '../components/address-lines.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { Coverage } from './coverage.tsx';
import { MethodDialog } from './method-dialog.tsx';
import { Rates } from './rates.tsx';
import { ONE, readMethod } from './records.ts';

const BACK = { to: '/shipping', label: 'button.backToList' };

export default function MethodPage() {
  const [isEditing, setEditing] = useState(false);
  const id = Number(useParams().id);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['shipping_methods', id],
    queryFn: () => readMethod(id),
    retry: false,
  });
  if (error) return <LoadError title="menu.shipping" error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const { method, rates, coverage } = data;
  return (
    <>
      <Title title={method.name} />
      <RecordToolbar resource="shipping_methods" back={BACK}>
        {mayWrite && (
          <>
            <Button size="small" onClick={() => setEditing(true)}>
              {translate('button.edit')}
            </Button>
            <DeleteMethod method={method} />
          </>
        )}
      </RecordToolbar>
      <Stack spacing={2} sx={{ maxWidth: 1100 }}>
        <Section title="shipping.method">
          <Summary method={method} />
        </Section>
        <Section title="shipping.rates">
          <Rates methodId={id} rates={rates} onDone={refetch} />
        </Section>
        {rates.length > 0 && (
          <Section title="shipping.coverage">
            <Coverage rates={rates} coverage={coverage} />
          </Section>
        )}
      </Stack>
      {isEditing && <MethodDialog id={id} onClose={() => setEditing(false)} onDone={async () => refetch()} />}
    </>
  );
}

function Summary({ method }: { method: ShippingMethodOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const currency = useStoreInfo()?.currency;
  const { delivery_time, enabled, processor, pickup_address, free_from, handling_fee, free_by_coupon } = method;
  const money = (value: number): string => format.money(value, currency);
  const facts = [
    ...(delivery_time === '' ? [] : [delivery_time]),
    ...(handling_fee === 0 ? [] : [translate('shipping.fact.handling_fee', { value: money(handling_fee) })]),
    ...(free_from === null ? [] : [translate('shipping.fact.free_from', { value: money(free_from) })]),
    ...(free_by_coupon ? [translate('shipping.fact.free_by_coupon')] : []),
  ];
  return (
    <Stack spacing={0.5} sx={{ alignItems: 'flex-start', overflowWrap: 'anywhere' }}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <Chip
          size="small"
          variant="outlined"
          color={enabled ? 'success' : 'default'}
          label={translate(enabled ? 'shipping.offered' : 'shipping.notOffered')}
        />
        <Chip size="small" variant="outlined" label={translate(`shipping.processor.${processor}`)} />
      </Stack>
      {facts.map((fact) => (
        <Typography key={fact}>{fact}</Typography>
      ))}
      {processor === 'pickup' && (
        <>
          <Typography sx={{ fontWeight: 600 }}>{translate('shipping.field.pickup_address')}</Typography>
          {pickup_address ? (
            <AddressLines address={pickup_address} />
          ) : (
            <Typography color="textSecondary">{translate('shipping.noPickupAddress')}</Typography>
          )}
        </>
      )}
    </Stack>
  );
}

function DeleteMethod({ method: { id, name } }: { method: ShippingMethodOutput }) {
  const [isConfirming, setConfirming] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const action = useAction('discounts.deleted');

  async function remove(): Promise<void> {
    setConfirming(false);
    if (await action.run(() => store.delete(ONE, { id }))) redirect('/shipping');
  }

  return (
    <>
      <Button color="error" size="small" onClick={() => setConfirming(true)} loading={action.isBusy}>
        {translate('button.delete')}
      </Button>
      {isConfirming && (
        <Confirm
          isOpen
          title={`${translate('button.delete')}: ${name}`}
          content={translate('shipping.delete')}
          onClose={() => setConfirming(false)}
          onConfirm={() => void remove()}
        />
      )}
    </>
  );
}
