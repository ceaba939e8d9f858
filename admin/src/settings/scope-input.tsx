/** The scopes of a new API key: a row for each family of paths, with a checkbox for each operation. */
import { Box, Checkbox, FormControlLabel, FormHelperText, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { grants, type Scope } from '../api/access.ts';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useAccess } from '../utils/use-may.tsx';

interface Props {
  readonly scopes: readonly Scope[];
  onChange(scopes: readonly Scope[]): void;
  readonly isRejected: boolean;
}

interface Family {
  /** The first segment of its paths; `*` for all families. */
  readonly name: string;
  readonly scopes: readonly Scope[];
}

const EVERY_FAMILY: Family = { name: '*', scopes: ['*:read', '*:write', '*:export'] };

export function ScopeInput({ scopes, onChange, isRejected }: Props) {
  const [filter, setFilter] = useState('');
  const translate = useTranslate();
  const families = useQuery({
    queryKey: ['scopes'],
    queryFn: async () => familiesOf((await store.get('/scopes')).data),
  });
  if (families.error) return <LoadError error={families.error} onRetry={() => void families.refetch()} />;
  if (families.isPending) return <LoadingSkeleton />;
  const shown = [EVERY_FAMILY, ...families.data].filter(({ name }) => name.includes(filter.trim().toLowerCase()));
  return (
    <Box component="fieldset" sx={{ border: 1, borderColor: 'divider', borderRadius: 1, my: 1, minWidth: 0 }}>
      <Typography component="legend" variant="body2">
        {translate('settings.scopes')}
      </Typography>
      <TextField
        type="search"
        label={translate('settings.findScope')}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      <Box
        tabIndex={0}
        role="group"
        aria-label={translate('settings.scopes')}
        sx={{ maxHeight: 280, overflowY: 'auto' }}
      >
        {shown.map((family) => (
          <FamilyRow key={family.name} family={family} scopes={scopes} onChange={onChange} />
        ))}
      </Box>
      <FormHelperText error={isRejected}>
        {translate(isRejected ? 'settings.chooseScope' : 'settings.scopesHelp')}
      </FormHelperText>
    </Box>
  );
}

/** A scope that another one includes is checked, and cannot be unchecked on its own. */
function FamilyRow({ family, scopes, onChange }: { family: Family } & Omit<Props, 'isRejected'>) {
  const translate = useTranslate();
  const access = useAccess();
  const title = family.name === '*' ? translate('settings.everyFamily') : family.name;
  const label = (scope: Scope) => {
    const operation = operationOf(scope);
    return translate(`settings.scope.${operation}`, { _: operation.replaceAll('_', ' ') });
  };
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <Box role="group" aria-label={title} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Typography variant="body2" sx={{ flex: '1 1 160px', overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      {family.scopes.map((scope) => {
        const isIncluded = grants({ scopes: scopes.filter((other) => other !== scope), masks: [] }, scope);
        return (
          <FormControlLabel
            key={scope}
            label={label(scope)}
            slotProps={{ typography: { variant: 'body2' } }}
            control={
              <Checkbox
                size="small"
                checked={isIncluded || scopes.includes(scope)}
                disabled={(isIncluded && !scopes.includes(scope)) || !access || !grants(access, scope)}
                onChange={({ target }) => toggle(scope, target.checked)}
              />
            }
          />
        );
      })}
    </Box>
  );
}

/** Operations that most families have come first. */
const ORDER = ['read', 'write', 'export'];

function familiesOf({ scopes }: { readonly scopes: readonly { readonly scope: string }[] }): Family[] {
  const families = new Map<string, Scope[]>();
  for (const { scope } of scopes) {
    const [name] = scope.split(':');
    families.set(name!, [...(families.get(name!) ?? []), scope as Scope]);
  }
  const rank = (scope: Scope) => {
    const index = ORDER.indexOf(operationOf(scope));
    return index < 0 ? ORDER.length : index;
  };
  return [...families].map(([name, own]) => ({ name, scopes: own.sort((one, other) => rank(one) - rank(other)) }));
}

const operationOf = (scope: Scope): string => scope.slice(scope.indexOf(':') + 1);
