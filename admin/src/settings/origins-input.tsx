/** The addresses of the pages that use a publishable key, a row each, with what the store rejected at its row. */
import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Box, Button, FormHelperText, IconButton, Stack, TextField, Typography } from '@mui/material';
import type { Violation } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useViolationMessage } from '../utils/error-messages.ts';

/** What the store rejected last. */
export interface RejectedOrigins {
  readonly origins: readonly string[];
  readonly violations: readonly Violation[];
}

interface Props {
  readonly origins: readonly string[];
  onChange(origins: readonly string[]): void;
  readonly rejected: RejectedOrigins | undefined;
}

const ORIGINS_MAX = 20;

export function OriginsInput({ origins, onChange, rejected }: Props) {
  const translate = useTranslate();
  const messageOf = useViolationMessage();
  const ofList = rejected?.violations.find(({ propertyPath }) => propertyPath === 'origins');

  /** A row that was changed since then has no error. */
  function errorOf(at: number): string | undefined {
    if (rejected?.origins[at] !== origins[at]) return undefined;
    const violation = rejected?.violations.find(({ propertyPath }) => propertyPath === `origins[${at}]`);
    return violation && messageOf(violation);
  }

  return (
    <Box
      component="fieldset"
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, mx: 0, my: 1, p: 1.5, minWidth: 0 }}
    >
      <Typography component="legend" variant="body2" color="textSecondary" sx={{ px: 0.5 }}>
        {translate('settings.origins')}
      </Typography>
      {origins.map((origin, at) => {
        const error = errorOf(at);
        const label = translate('settings.origin', { number: at + 1 });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity
          <Stack key={at} direction="row" spacing={1} sx={{ alignItems: 'flex-start', mb: 1 }}>
            <TextField
              label={label}
              value={origin}
              onChange={({ target }) => onChange(origins.map((one, index) => (index === at ? target.value : one)))}
              placeholder="https://"
              error={error !== undefined}
              helperText={error}
              slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none', inputMode: 'url' } }}
            />
            {origins.length > 1 && (
              <IconButton
                onClick={() => onChange(origins.filter((_one, index) => index !== at))}
                aria-label={`${translate('button.remove')}: ${label}`}
                sx={{ mt: 0.5 }}
              >
                <DeleteIcon fontSize="small" />
              </IconButton>
            )}
          </Stack>
        );
      })}
      <FormHelperText error={ofList !== undefined}>
        {ofList ? messageOf(ofList) : translate('settings.originsHelp')}
      </FormHelperText>
      {origins.length < ORIGINS_MAX && (
        <Button size="small" startIcon={<AddIcon />} onClick={() => onChange([...origins, ''])}>
          {translate('settings.addOrigin')}
        </Button>
      )}
    </Box>
  );
}
