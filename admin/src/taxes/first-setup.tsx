/** Sets up the taxes of a store without rates: a zone, a rate and the settings. */
import { Alert, Box, Button, FormControlLabel, Radio, RadioGroup, Stack, TextField, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ZoneOutput } from 'purveyor/client';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { isSame } from '../api/record-diff.ts';
import { CountryInput } from '../forms/country-input.tsx';
import { type Submission, useSubmit } from '../forms/use-submit.ts';
import { useCountryName } from '../utils/countries.ts';
import { parseNumber, useFormat } from '../utils/format.ts';
import { readZones, ZONES_KEY } from './records.ts';
import type { ZoneElement } from './zone-text.ts';

interface Answers {
  readonly country: string;
  readonly state: string;
  readonly name: string;
  /** As typed. */
  readonly rate: string;
  readonly isIncluded: boolean;
  readonly isShippingTaxed: boolean;
}

/** Returns a zone with these addresses, or creates it. @param name of a new zone; a number follows if it is in use */
async function zoneFor(name: string, element: ZoneElement): Promise<ZoneOutput> {
  const zones = await readZones();
  const same = zones.find(({ elements }) => isSame(elements, [element]));
  if (same) return same;
  const names = new Set(zones.map((zone) => zone.name));
  let free = name;
  for (let number = 2; names.has(free); number += 1) free = `${name} ${number}`;
  return (await store.post('/zones', { name: free, elements: [element] })).data;
}

/** Returns the code of a tax with this name, for example `SALES_TAX`. */
function codeFor(name: string): string {
  const code = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, CODE_LENGTH_MAX);
  return code === '' ? 'TAX' : code;
}

const CODE_LENGTH_MAX = 32;

export function FirstSetup({ onDone }: { onDone(): Promise<unknown> }) {
  const translate = useTranslate();
  const notify = useNotify();
  const queries = useQueryClient();
  const { answers, change, rate, place, rateName } = useAnswers();
  const { country, state, name, isIncluded, isShippingTaxed } = answers;

  /** The rate is last, so that a second attempt completes what the first one has begun and repeats nothing. */
  async function setUp(): Promise<void> {
    const states = state.trim() === '' ? [] : [state.trim()];
    const zone = await zoneFor(place, { countries: country === '' ? [] : [country], states, zips: [], cities: [] });
    await store.patch('/tax_settings', {
      prices_include_tax: isIncluded,
      ...(isIncluded ? { default_zone: zone.id } : {}),
      shipping: isShippingTaxed ? 'proportional' : 'rates',
    });
    await store.post('/tax_rates', {
      ...{ tax: codeFor(name), name: rateName, zone: zone.id },
      // A text that is not a number is sent as it is, so that the store explains what is wrong.
      value: (answers.rate.trim() === '' ? undefined : (rate ?? answers.rate)) as number,
    });
    await queries.invalidateQueries({ queryKey: ZONES_KEY });
    notify('taxes.setup.done', { type: 'success' });
    await onDone();
  }

  const form = useSubmit(['elements', 'value', 'name'], setUp);
  const sentence = isIncluded ? 'taxes.setup.included' : 'taxes.setup.added';
  return (
    <Box
      component="form"
      aria-label={translate('taxes.setup.title')}
      onSubmit={(event) => void form.submit(event)}
      noValidate
      sx={{ maxWidth: 560, border: 1, borderColor: 'divider', borderRadius: 1, p: 2 }}
    >
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('taxes.setup.title')}
      </Typography>
      <Fields answers={answers} onChange={change} form={form} />
      {country !== '' && rate !== undefined && (
        <Alert severity="info" icon={false} role="status" sx={{ my: 1 }}>
          {translate(sentence, { tax: rateName, place })}
        </Alert>
      )}
      {form.problem !== undefined && (
        <Alert severity="error" sx={{ my: 1 }}>
          {form.problem}
        </Alert>
      )}
      <Button type="submit" variant="contained" loading={form.isBusy} sx={{ mt: 1 }}>
        {translate('taxes.setup.submit')}
      </Button>
    </Box>
  );
}

/** The typed answers. The country is at first that of the store's address. */
function useAnswers() {
  const [typed, setTyped] = useState<Partial<Answers>>({});
  const translate = useTranslate();
  const format = useFormat();
  const countryName = useCountryName();
  const home = useQuery({
    queryKey: ['store', 'country'],
    queryFn: async () => (await store.get('/store')).data.address?.country_code ?? '',
  }).data;
  const answers: Answers = {
    ...{ country: home ?? '', state: '', name: translate('taxes.setup.vat'), rate: '' },
    ...{ isIncluded: true, isShippingTaxed: true, ...typed },
  };
  const rate = parseNumber(answers.rate);
  const percent = rate === undefined ? '' : translate('taxes.percent', { value: format.number(rate) });
  return {
    answers,
    change: (changed: Partial<Answers>): void => setTyped({ ...typed, ...changed }),
    rate,
    place: [answers.state.trim(), countryName(answers.country)].filter((part) => part !== '').join(', '),
    rateName: `${answers.name.trim()} ${percent}`.trim(),
  };
}

interface FieldsProps {
  readonly answers: Answers;
  onChange(changed: Partial<Answers>): void;
  readonly form: Submission;
}

function Fields({ answers: { country, state, name, rate, isIncluded, isShippingTaxed }, onChange, form }: FieldsProps) {
  const translate = useTranslate();
  return (
    <>
      <CountryInput
        value={country}
        onChange={(code) => onChange({ country: code })}
        error={form.fieldProps('elements').helperText}
      />
      <TextField
        label={translate('field.state_name')}
        value={state}
        onChange={({ target }) => onChange({ state: target.value })}
        helperText={translate('taxes.setup.stateHelp')}
      />
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <TextField
          label={translate('taxes.setup.name')}
          value={name}
          onChange={({ target }) => onChange({ name: target.value })}
          {...form.fieldProps('name')}
        />
        <TextField
          label={translate('taxes.setup.rate')}
          value={rate}
          onChange={({ target }) => onChange({ rate: target.value })}
          {...form.fieldProps('value')}
          slotProps={{ htmlInput: { inputMode: 'decimal' } }}
          sx={{ maxWidth: 160 }}
        />
      </Stack>
      <TwoAnswers
        question="taxes.setup.prices"
        yes="taxes.setup.pricesInclude"
        no="taxes.setup.pricesExclude"
        value={isIncluded}
        onChange={(value) => onChange({ isIncluded: value })}
      />
      <TwoAnswers
        question="taxes.setup.shipping"
        yes="taxes.setup.shippingTaxed"
        no="taxes.setup.shippingNotTaxed"
        value={isShippingTaxed}
        onChange={(value) => onChange({ isShippingTaxed: value })}
      />
    </>
  );
}

interface TwoAnswersProps {
  /** Message keys. */
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  readonly value: boolean;
  onChange(value: boolean): void;
}

function TwoAnswers({ question, yes, no, value, onChange }: TwoAnswersProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ mt: 1 }}>
      <Typography id={question} variant="body2" color="textSecondary">
        {translate(question)}
      </Typography>
      <RadioGroup
        aria-labelledby={question}
        value={`${value}`}
        onChange={(_event, chosen) => onChange(chosen === 'true')}
      >
        <FormControlLabel value="true" control={<Radio size="small" />} label={translate(yes)} />
        <FormControlLabel value="false" control={<Radio size="small" />} label={translate(no)} />
      </RadioGroup>
    </Box>
  );
}
