/** The carts of shoppers, the last changed first. */
import { Button, Card, Pagination, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CartOutput } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { ChoiceChips } from '../components/choice-chips.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useMaySee } from '../utils/use-may.tsx';
import { CartDialog } from './cart-dialog.tsx';
import { Shopper, StateChip } from './cart-texts.tsx';

const PER_PAGE = 25;
const STATES = ['open', 'expired', 'merged'] as const;

/** What the address of the page contains. An empty value is omitted. */
type Parameters = Partial<Record<'state' | 'email' | 'page' | 'cart', string>>;

export default function CartsPage() {
  const [search, setSearch] = useSearchParams();
  const translate = useTranslate();
  const state = STATES.find((each) => each === search.get('state'));
  const email = search.get('email') ?? '';
  const page = Number(search.get('page') ?? 1);
  const cart = search.get('cart');
  const maySeeEmail = useMaySee('Cart.email');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['carts', state, email, page],
    queryFn: () =>
      store.page('/carts', {
        page,
        itemsPerPage: PER_PAGE,
        order: { update_date: 'desc', id: 'desc' },
        filter: { ...(state && { state }), ...(email && { email }) },
      }),
  });
  const show = (changed: Parameters): void => {
    const all = Object.entries({ state: state ?? '', email, ...changed });
    setSearch(Object.fromEntries(all.filter(([, value]) => value !== '')));
  };
  if (error) return <LoadError title="menu.carts" error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Title title={translate('menu.carts')} />
      <Card variant="outlined" sx={{ mt: 1, p: { xs: 1.5, sm: 3 } }}>
        <Stack spacing={2}>
          <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
            {translate('carts.help')}
          </Typography>
          <ChoiceChips
            label="field.status"
            choices={STATES}
            value={state}
            labelOf={(each) => `carts.state.${each}`}
            onChange={(next) => show({ state: next ?? '' })}
          />
          {maySeeEmail && <EmailSearch key={email} email={email} onSearch={(next) => show({ email: next })} />}
          {isPending ? (
            <LoadingSkeleton />
          ) : data.total === 0 ? (
            <Typography role="status">{translate(state || email ? 'list.noMatch' : 'carts.none')}</Typography>
          ) : (
            <CartTable carts={data.data} onOpen={(id) => show({ page: `${page}`, cart: `${id}` })} />
          )}
          {data && data.total > PER_PAGE && (
            <Pagination
              count={Math.ceil(data.total / PER_PAGE)}
              page={page}
              onChange={(_event, number) => show({ page: `${number}` })}
            />
          )}
        </Stack>
      </Card>
      {cart !== null && <CartDialog id={Number(cart)} onClose={() => show({ page: `${page}` })} />}
    </>
  );
}

function EmailSearch({ email, onSearch }: { email: string; onSearch(email: string): void }) {
  const [typed, setTyped] = useState(email);
  const translate = useTranslate();

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSearch(typed.trim());
  }

  return (
    <Stack component="form" direction="row" spacing={1} onSubmit={submit} noValidate sx={{ alignItems: 'center' }}>
      <TextField
        type="search"
        margin="none"
        label={translate('field.email')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        sx={{ minWidth: 0, flex: '0 1 340px' }}
      />
      <Button type="submit" variant="outlined" sx={{ flexShrink: 0 }}>
        {translate('guests.search')}
      </Button>
    </Stack>
  );
}

function CartTable({ carts, onOpen }: { carts: readonly CartOutput[]; onOpen(id: number): void }) {
  const translate = useTranslate();
  const format = useFormat();
  const columns: readonly Column<CartOutput>[] = [
    { label: translate('field.customer'), cell: (cart) => <Shopper cart={cart} /> },
    {
      label: translate('home.metric.units'),
      isRight: true,
      // A session may not see personal data.
      cell: ({ lines }) => lines?.reduce((sum, { amount }) => sum + amount, 0) ?? '–',
    },
    { label: translate('field.total'), isRight: true, cell: ({ total, currency }) => format.money(total, currency) },
    { label: translate('field.update_date'), cell: ({ update_date }) => format.dateTime(update_date) },
    { label: translate('field.status'), cell: ({ state }) => <StateChip state={state} /> },
    {
      label: translate('list.actions'),
      isRight: true,
      cell: ({ id }) => (
        <Button
          size="small"
          onClick={() => onOpen(id)}
          aria-label={`${translate('orders.details')}: ${translate('carts.one', { id })}`}
        >
          {translate('orders.details')}
        </Button>
      ),
    },
  ];
  return <ResponsiveTable label={translate('menu.carts')} columns={columns} rows={carts} keyOf={({ id }) => id} />;
}
