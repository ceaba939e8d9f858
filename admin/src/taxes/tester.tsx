/** Shows what a buyer pays for a product, and why. It saves no data. */
import { Alert, Box, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { StoreProblem } from 'purveyor/client';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { LoadingSkeleton } from '../components/loading.tsx';
import { CountryInput } from '../forms/country-input.tsx';
import { CustomerInput, type FoundCustomer } from '../orders/draft/customer-input.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useMay } from '../utils/use-may.tsx';
import { NEW_QUESTION, type PriceRequest, type Question, readAnswer, requestOf } from './price-request.ts';
import { ProductChoice, testedProduct } from './product-choice.tsx';
import { MEMBERSHIPS_KEY, readMemberships } from './records.ts';
import { TesterResult } from './tester-result.tsx';

export default function Tester() {
  const [question, setQuestion] = useState(NEW_QUESTION);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const linked = Number(useSearchParams()[0].get('product'));
  const change = (changed: Partial<Question>): void => setQuestion((before) => ({ ...before, ...changed }));

  // A link names the product. Without that product, the user chooses one.
  const { data: product, isLoading } = useQuery({
    queryKey: ['product-to-test', linked],
    queryFn: () => readProduct(linked),
    enabled: linked > 0,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (product) setQuestion((before) => ({ ...before, product }));
  }, [product]);

  const { answer, error, isEmpty, isPending } = useAnswer(question);
  const isUnknownCoupon = error instanceof StoreProblem && error.status === 400 && /^"coupon"/.test(error.detail);
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('tester.help')}
      </Typography>
      <Box sx={COLUMNS}>
        <QuestionForm
          question={question}
          onChange={change}
          couponError={isUnknownCoupon ? translate('tester.unknownCoupon') : undefined}
        />
        <Box role="region" aria-label={translate('tester.result')} aria-live="polite">
          {isEmpty && !isLoading && (
            <Typography color="textSecondary">
              {translate(question.product ? 'tester.chooseMembership' : 'tester.chooseProduct')}
            </Typography>
          )}
          {error !== null && !isUnknownCoupon && <Alert severity="error">{errorMessage(error)}</Alert>}
          {answer && error === null && <TesterResult answer={answer} />}
          {(isLoading || isPending) && <LoadingSkeleton lines={4} />}
        </Box>
      </Box>
    </Stack>
  );
}

const COLUMNS = {
  display: 'grid',
  gap: 3,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 3fr)' },
} as const;

async function readProduct(id: number) {
  const { data } = await store.get('/products/{id}', { id });
  return testedProduct({ id, name: data.name, sku: data.sku, price: data.price });
}

/** Typing ends a moment before the store is asked. */
const DELAY_MS = 350;

function useAnswer(question: Question) {
  const request = JSON.stringify(requestOf(question));
  const [asked, setAsked] = useState<string | undefined>(request);
  const isFirst = asked === undefined;
  useEffect(() => {
    const timer = setTimeout(() => setAsked(request), isFirst ? 0 : DELAY_MS);
    return () => clearTimeout(timer);
  }, [request, isFirst]);
  const { data, error } = useQuery({
    queryKey: ['price', asked],
    queryFn: () => readAnswer(JSON.parse(asked!) as PriceRequest),
    enabled: asked !== undefined,
    retry: false,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const isEmpty = request === undefined;
  const isCurrent = asked === request;
  return {
    answer: isEmpty ? undefined : data,
    error: isCurrent ? error : null,
    isEmpty,
    isPending: !isEmpty && data === undefined && !(isCurrent && error !== null),
  };
}

interface FormProps {
  readonly question: Question;
  onChange(changed: Partial<Question>): void;
  readonly couponError: string | undefined;
}

function QuestionForm({ question, onChange, couponError }: FormProps) {
  const translate = useTranslate();
  return (
    <Box role="group" aria-label={translate('tester.question')}>
      <ProductChoice value={question.product} onChange={(product) => onChange({ product })} />
      <TextField
        label={translate('field.quantity')}
        value={question.quantity}
        onChange={({ target }) => onChange({ quantity: target.value })}
        onFocus={({ target }) => target.select()}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
      <Buyer question={question} onChange={onChange} />
      <Address question={question} onChange={onChange} />
      <TextField
        label={translate('tester.rule.coupon')}
        value={question.coupon}
        onChange={({ target }) => onChange({ coupon: target.value })}
        error={couponError !== undefined}
        helperText={couponError ?? translate('tester.couponHelp')}
      />
      <TextField
        type="datetime-local"
        label={translate('tester.at')}
        value={question.at}
        onChange={({ target }) => onChange({ at: target.value })}
        helperText={translate('tester.atHelp')}
        slotProps={{ inputLabel: { shrink: true } }}
      />
    </Box>
  );
}

type PartProps = Omit<FormProps, 'couponError'>;

function Buyer({ question, onChange }: PartProps) {
  const translate = useTranslate();
  const buyers = {
    guest: true,
    customer: useMay('profiles:read'),
    member: useMay('memberships:read'),
  };
  const isMember = question.buyer === 'member';
  const { data: memberships = [] } = useQuery({
    queryKey: MEMBERSHIPS_KEY,
    queryFn: readMemberships,
    enabled: isMember,
  });
  const kinds = (Object.keys(buyers) as (keyof typeof buyers)[]).filter((kind) => buyers[kind]);
  /** The customer chosen last; the addresses of an earlier one are ignored. */
  const chosen = useRef<FoundCustomer | null>(null);

  async function choose(customer: FoundCustomer | null): Promise<void> {
    chosen.current = customer;
    onChange({ customer });
    if (!customer) return;
    // A key that may not read the address can still enter it.
    const address = await readTaxedAddress(customer.id).catch(() => undefined);
    if (address && chosen.current === customer) onChange(address);
  }

  return (
    <>
      <TextField
        select
        label={translate('tester.buyer')}
        value={question.buyer}
        onChange={({ target }) => onChange({ buyer: target.value as Question['buyer'] })}
      >
        {kinds.map((kind) => (
          <MenuItem key={kind} value={kind}>
            {translate(`tester.buyer.${kind}`)}
          </MenuItem>
        ))}
      </TextField>
      {question.buyer === 'customer' && (
        <CustomerInput
          value={question.customer}
          onChange={(customer) => void choose(customer)}
          help="tester.customerHelp"
        />
      )}
      {isMember && (
        <TextField
          select
          label={translate('field.membership_id')}
          value={question.membership === null ? '' : `${question.membership}`}
          helperText={question.membership === null ? translate('tester.chooseMembership') : undefined}
          onChange={({ target }) => onChange({ membership: Number(target.value) })}
        >
          {memberships.map(({ id, name }) => (
            <MenuItem key={id} value={`${id}`}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      )}
    </>
  );
}

/** Reads the address that determines the taxes of a customer (docs/contract/pricing.md §3). */
async function readTaxedAddress(profile_id: number): Promise<Partial<Question> | undefined> {
  const [settings, addresses] = await Promise.all([
    store.get('/tax_settings').then(({ data }) => data),
    store.page('/profiles/{profile_id}/addresses', { profile_id }).then(({ data }) => data),
  ]);
  const isTaxed = settings.address === 'billing' ? 'is_billing' : 'is_shipping';
  const address = addresses.find((one) => one[isTaxed]) ?? addresses[0];
  if (!address) return undefined;
  const { country_code, state_name, zipcode, city } = address;
  return { country: country_code ?? '', state_name: state_name ?? '', zipcode: zipcode ?? '', city: city ?? '' };
}

function Address({ question, onChange }: PartProps) {
  const translate = useTranslate();
  return (
    <Box role="group" aria-label={translate('customers.address')}>
      <CountryInput value={question.country} onChange={(country) => onChange({ country })} />
      {question.country === '' ? (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
          {translate('tester.noCountry')}
        </Typography>
      ) : (
        <Box
          sx={{ display: 'grid', columnGap: 1, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 160px), 1fr))' }}
        >
          {(['state_name', 'zipcode', 'city'] as const).map((field) => (
            <TextField
              key={field}
              label={translate(`field.${field}`)}
              value={question[field]}
              onChange={({ target }) => onChange({ [field]: target.value })}
              // Above the field, long labels are not cut off.
              slotProps={{ inputLabel: { shrink: true } }}
            />
          ))}
        </Box>
      )}
    </Box>
  );
}
