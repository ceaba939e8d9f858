/** The scopes of a new API key or of a role: a row for each family of paths, with a checkbox for each operation. */
import { Box, Checkbox, FormControlLabel, FormHelperText, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useLocaleState, useTranslate } from 'react-admin';
import { grants, type Scope } from '../api/access.ts';
import { useScopes } from '../api/scopes.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useAccess } from '../utils/use-may.tsx';
import { useScopeNames } from './scope-names.ts';

interface Props {
  readonly scopes: readonly Scope[];
  onChange(scopes: readonly Scope[]): void;
  /** Translated. */
  readonly label: string;
  readonly help: string;
  /** A translated message: why the scopes are rejected. */
  readonly error: string | undefined;
  /** Shows also the names of the families as they are in paths. */
  readonly showsPaths?: boolean;
}

interface Family {
  /** The first segment of its paths; `*` for all families. */
  readonly name: string;
  readonly scopes: readonly Scope[];
}

const EVERY_FAMILY: Family = { name: '*', scopes: ['*:read', '*:write', '*:export'] };

export function ScopeInput({ scopes, onChange, label, help, error, showsPaths = false }: Props) {
  const [filter, setFilter] = useState('');
  const translate = useTranslate();
  const [locale] = useLocaleState();
  const names = useScopeNames();
  const all = useScopes();
  if (all.error) return <LoadError error={all.error} onRetry={() => void all.refetch()} />;
  if (all.isPending) return <LoadingSkeleton />;
  const isFound = ({ name }: Family): boolean =>
    [name, names.family(name)].some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()));
  const families = familiesOf(all.data).sort((one, other) =>
    names.family(one.name).localeCompare(names.family(other.name), locale),
  );
  const shown = [EVERY_FAMILY, ...families].filter(isFound);
  return (
    <Box component="fieldset" sx={{ border: 1, borderColor: 'divider', borderRadius: 1, my: 1, minWidth: 0 }}>
      <Typography component="legend" variant="body2">
        {label}
      </Typography>
      <TextField
        type="search"
        label={translate('settings.findScope')}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      <Box tabIndex={0} role="group" aria-label={label} sx={{ maxHeight: 280, overflowY: 'auto' }}>
        {shown.map((family) => (
          <FamilyRow key={family.name} {...{ family, scopes, onChange, showsPaths }} />
        ))}
      </Box>
      <FormHelperText error={error !== undefined}>{error ?? help}</FormHelperText>
    </Box>
  );
}

/** A scope that another one includes is checked, and cannot be unchecked on its own. */
function FamilyRow({
  family,
  scopes,
  onChange,
  showsPaths,
}: { family: Family } & Pick<Props, 'scopes' | 'onChange' | 'showsPaths'>) {
  const names = useScopeNames();
  const access = useAccess();
  const title = names.family(family.name);
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <Box role="group" aria-label={title} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Typography variant="body2" sx={{ flex: { xs: '1 1 100%', sm: '1 1 160px' }, overflowWrap: 'anywhere' }}>
        {title}
        {showsPaths && family.name !== '*' && (
          <Typography variant="caption" color="textSecondary" sx={{ display: 'block' }}>
            {family.name}
          </Typography>
        )}
      </Typography>
      {family.scopes.map((scope) => {
        const isIncluded = grants({ scopes: scopes.filter((other) => other !== scope) }, scope);
        return (
          <FormControlLabel
            key={scope}
            label={names.operation(operationOf(scope))}
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
