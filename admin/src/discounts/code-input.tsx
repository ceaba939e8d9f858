/** The code of a coupon, with a button that makes one up. */
import CasinoIcon from '@mui/icons-material/CasinoOutlined';
import { Box, Button } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { PlainTextInput } from '../forms/inputs.tsx';
import { useMayWrite } from '../utils/use-may.tsx';

/** Without letters and digits that are easily confused, such as O and 0. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  // 256 is a multiple of the 32 characters, so that all of them are equally likely.
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

export function CodeInput() {
  const { setValue } = useFormContext();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
      <PlainTextInput source="code" label={translate('discounts.field.code')} help="discounts.help.code" required />
      {mayWrite && (
        <Button
          startIcon={<CasinoIcon />}
          onClick={() => setValue('code', randomCode(), { shouldDirty: true })}
          sx={{ mt: '10px', flexShrink: 0 }}
        >
          {translate('discounts.generate')}
        </Button>
      )}
    </Box>
  );
}
