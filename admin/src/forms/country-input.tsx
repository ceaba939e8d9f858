/** Chooses a country by its name in the page's language, or by its code. */
import { Autocomplete, TextField } from '@mui/material';
import { useState } from 'react';
import { useInput, useTranslate } from 'react-admin';
import { type Country, useCountries, useCountryName } from '../utils/countries.ts';

interface Props {
  /** ISO 3166-1 alpha-2; empty for none. */
  readonly value: string;
  onChange(code: string): void;
  readonly error?: string | undefined;
}

export function CountryInput({ value, onChange, error }: Props) {
  const [typed, setTyped] = useState('');
  const countries = useCountries();
  const nameOf = useCountryName();
  const translate = useTranslate();
  // An order may have the code of a country that no longer exists.
  const chosen = countries.find(({ code }) => code === value) ?? { code: value, name: nameOf(value) };
  return (
    <Autocomplete
      options={countries}
      value={value === '' ? null : chosen}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ code }) => code}
      isOptionEqualToValue={(one, other) => one.code === other.code}
      filterOptions={(options) => matching(options, typed)}
      // Enter and Tab take the first match, but only of a typed text.
      autoHighlight={typed !== ''}
      autoSelect={typed !== ''}
      onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
      onChange={(_event, country) => onChange(country?.code ?? '')}
      noOptionsText={translate('list.noMatch')}
      renderInput={(input) => (
        <TextField {...input} label={translate('field.country_code')} error={error !== undefined} helperText={error} />
      )}
    />
  );
}

/** The country in a record's form; null for none. */
export function CountryField({ source }: { source: string }) {
  const { field, fieldState } = useInput({ source });
  return (
    <CountryInput
      value={field.value ?? ''}
      onChange={(code) => field.onChange(code === '' ? null : code)}
      error={fieldState.error?.message}
    />
  );
}

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();

/** Returns the countries whose code was typed, then those whose name begins with the text, then those that contain it. */
function matching(countries: readonly Country[], typed: string): Country[] {
  const text = folded(typed.trim());
  if (text === '') return [...countries];
  const rank = ({ code, name }: Country): number => {
    if (code.toLowerCase() === text) return 0;
    const at = folded(name).indexOf(text);
    return at === 0 ? 1 : at > 0 ? 2 : 3;
  };
  const ranked = countries.map((country) => ({ country, rank: rank(country) }));
  return ranked
    .filter((one) => one.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ country }) => country);
}
