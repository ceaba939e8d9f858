/** The fields of a postal address, outside of a record's form. */
import { Box, TextField } from '@mui/material';
import { useTranslate } from 'react-admin';
import { CountryInput } from './country-input.tsx';

const ADDRESS_FIELDS = [
  'firstname',
  'lastname',
  'company',
  'street',
  'zipcode',
  'city',
  'state_name',
  'country_code',
  'phone',
] as const;

export type AddressValues = Readonly<Record<(typeof ADDRESS_FIELDS)[number], string>>;

export const NO_ADDRESS = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, ''])) as AddressValues;

/** Returns the values of an address of the store; empty texts for null. */
export function addressValues(address: object | null): AddressValues {
  const values = address as Readonly<Record<string, string | null>> | null;
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, values?.[field] ?? ''])) as AddressValues;
}

/** Returns the address as a request contains it; null if every field is empty. */
export function addressInput(
  values: AddressValues,
): (Omit<AddressValues, 'country_code'> & { country_code: string | null }) | null {
  if (ADDRESS_FIELDS.every((field) => values[field].trim() === '')) return null;
  return { ...values, country_code: values.country_code || null };
}

interface Props {
  readonly values: AddressValues;
  onChange(values: AddressValues): void;
  /** The messages of fields that the store rejected. */
  readonly errors?: Readonly<Record<string, string>>;
}

export function AddressFields({ values, onChange, errors = {} }: Props) {
  const translate = useTranslate();
  return (
    <Box
      sx={{
        display: 'grid',
        columnGap: 2,
        alignItems: 'start',
        // Room for the longest label.
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
      }}
    >
      {ADDRESS_FIELDS.map((field) =>
        field === 'country_code' ? (
          <CountryInput
            key={field}
            value={values.country_code}
            onChange={(country_code) => onChange({ ...values, country_code })}
            error={errors.country_code}
          />
        ) : (
          <TextField
            key={field}
            label={translate(`field.${field}`)}
            value={values[field]}
            onChange={({ target }) => onChange({ ...values, [field]: target.value })}
            error={errors[field] !== undefined}
            helperText={errors[field]}
          />
        ),
      )}
    </Box>
  );
}
