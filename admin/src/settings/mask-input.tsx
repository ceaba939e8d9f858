/** The fields that a key or a role hides, of those that its scopes show. */
import { Autocomplete, Box, Button, Chip, createFilterOptions, TextField, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { grants, type Scope } from '../api/access.ts';
import { type Mask, useScopes } from '../api/scopes.ts';
import { useScopeNames } from './scope-names.ts';

interface Props {
  readonly scopes: readonly Scope[];
  readonly masks: readonly string[];
  onChange(masks: readonly string[]): void;
  readonly error: string | undefined;
}

const SHOWN_MAX = 6;

export function MaskInput({ scopes, masks, onChange, error }: Props) {
  const translate = useTranslate();
  const names = useScopeNames();
  const { data } = useScopes();
  const all = data?.masks ?? [];
  const options = all.filter(({ families }) => families.every((family) => grants({ scopes }, `${family}:read`)));
  const selected = all.filter(({ field }) => masks.includes(field));
  const personal = options.filter((mask) => mask.personal && !masks.includes(mask.field));
  const textOf = ({ field }: Mask): string => `${names.resource(field)}: ${names.field(field)}`;
  return (
    <Box sx={{ my: 1 }}>
      <Autocomplete
        multiple
        disableCloseOnSelect
        limitTags={SHOWN_MAX}
        // Fields whose family was unchecked remain until someone removes them.
        options={options}
        value={selected}
        groupBy={({ field }) => names.resource(field)}
        getOptionLabel={textOf}
        getOptionKey={({ field }) => field}
        isOptionEqualToValue={(one, other) => one.field === other.field}
        filterOptions={createFilterOptions({ stringify: (mask) => `${textOf(mask)} ${mask.field}` })}
        onChange={(_event, chosen) => onChange(chosen.map(({ field }) => field))}
        noOptionsText={translate(options.length === 0 ? 'settings.noMasks' : 'settings.noMaskFound')}
        slotProps={{ chip: { size: 'small' } }}
        renderOption={({ key, ...props }, mask) => (
          <Box component="li" key={key} {...props} sx={{ gap: 1, flexWrap: 'wrap' }}>
            {names.field(mask.field)}
            <Typography variant="body2" component="span" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {mask.field}
            </Typography>
            {mask.personal && <Chip size="small" variant="outlined" label={translate('settings.personal')} />}
          </Box>
        )}
        renderInput={(input) => (
          <TextField
            {...input}
            label={translate('settings.masks')}
            error={error !== undefined}
            helperText={error ?? translate('settings.masksHelp')}
          />
        )}
      />
      {personal.length > 0 && (
        <Button size="small" onClick={() => onChange([...masks, ...personal.map(({ field }) => field)])}>
          {translate('settings.maskPersonal', { smart_count: personal.length })}
        </Button>
      )}
    </Box>
  );
}
