import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  MenuItem,
  TextField,
} from '@mui/material';
import { type KeyMade, StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { grants, type Scope } from '../api/access.ts';
import { store } from '../api/client.ts';
import { TextListInput } from '../forms/text-list-input.tsx';
import { type Submission, useSubmit } from '../forms/use-submit.ts';
import { useAccess } from '../utils/use-may.tsx';
import { MaskInput } from './mask-input.tsx';
import { OriginsInput, type RejectedOrigins } from './origins-input.tsx';
import { ScopeInput } from './scope-input.tsx';

const KINDS = ['read-only', 'read-write', 'scoped', 'publishable'] as const;

/** What a publishable key shows to everyone, so that only who may read it can create one (docs/contract/access.md §1). */
const PUBLISHED: readonly Scope[] = ['attributes', 'categories', 'products', 'stickers', 'tags'].map(
  (family) => `${family}:read` as const,
);

export function NewKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(key: KeyMade): void }) {
  const access = useAccess();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof KINDS)[number]>('read-only');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  // A key that hides fields can only create keys that hide them too.
  const [masks, setMasks] = useState<readonly string[]>(access?.masks ?? []);
  const [networks, setNetworks] = useState<readonly string[]>([]);
  const [expires, setExpires] = useState('');
  const [existing, setExisting] = useState('');
  const [origins, setOrigins] = useState<readonly string[]>(['']);
  const [rejected, setRejected] = useState<RejectedOrigins>();
  const translate = useTranslate();
  const mayPublish = access !== undefined && PUBLISHED.every((scope) => grants(access, scope));
  const kinds = KINDS.filter((one) => one !== 'publishable' || mayPublish);
  const isPublishable = kind === 'publishable';
  const form = useSubmit(['name', 'expires_at', 'key', 'scopes', 'masks', 'networks', 'origins'], async () => {
    const secret = { key: existing === '' ? null : existing, networks: [...networks] };
    const sent = origins.map((origin) => origin.trim());
    try {
      const { data } = await store.post('/keys', {
        ...{ name, kind, expires_at: expires === '' ? null : expires },
        ...(isPublishable ? { origins: sent } : secret),
        ...(kind === 'scoped' ? { scopes: [...scopes], masks: [...masks] } : {}),
      });
      onCreated(data);
    } catch (error) {
      if (error instanceof StoreProblem) setRejected({ origins, violations: error.violations });
      throw error;
    }
  });

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-key">
      <form onSubmit={(event) => void form.submit(event)} noValidate>
        <DialogTitle id="new-key">{translate('settings.newKey')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('settings.key.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            {...form.fieldProps('name', translate('settings.keyNameHelp'))}
            autoFocus
          />
          <TextField
            select
            label={translate('settings.key.kind')}
            value={kind}
            onChange={({ target }) => setKind(target.value as typeof kind)}
            helperText={translate(isPublishable ? 'settings.publishableHelp' : 'settings.keyKindHelp')}
          >
            {kinds.map((one) => (
              <MenuItem key={one} value={one}>
                {translate(`settings.keyKind.${one}`)}
              </MenuItem>
            ))}
          </TextField>
          {kind === 'scoped' && (
            <ScopedRights scopes={scopes} onScopes={setScopes} masks={masks} onMasks={setMasks} form={form} />
          )}
          {isPublishable && <OriginsInput origins={origins} onChange={setOrigins} rejected={rejected} />}
          <TextField
            type="date"
            label={translate('settings.key.expires')}
            value={expires}
            onChange={({ target }) => setExpires(target.value)}
            {...form.fieldProps('expires_at', translate('settings.keyExpiresHelp'))}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          {!isPublishable && (
            <SecretKeyInputs {...{ networks, existing, form }} onNetworks={setNetworks} onExisting={setExisting} />
          )}
          {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={form.isBusy}>
            {translate('settings.createKey')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ScopedRightsProps {
  readonly scopes: readonly Scope[];
  onScopes(scopes: readonly Scope[]): void;
  readonly masks: readonly string[];
  onMasks(masks: readonly string[]): void;
  readonly form: Submission;
}

/** What a scoped key may do, and what it does not see. */
function ScopedRights({ scopes, onScopes, masks, onMasks, form }: ScopedRightsProps) {
  const translate = useTranslate();
  return (
    <>
      <ScopeInput
        scopes={scopes}
        onChange={onScopes}
        label={translate('settings.scopes')}
        help={translate('settings.scopesHelp')}
        error={form.fieldProps('scopes').error ? translate('settings.chooseScope') : undefined}
        showsPaths
      />
      <MaskInput scopes={scopes} masks={masks} onChange={onMasks} error={form.fieldProps('masks').helperText} />
    </>
  );
}

interface SecretKeyProps {
  readonly networks: readonly string[];
  onNetworks(networks: readonly string[]): void;
  readonly existing: string;
  onExisting(key: string): void;
  readonly form: Submission;
}

/** What only keys of programs have. */
function SecretKeyInputs({ networks, onNetworks, existing, onExisting, form }: SecretKeyProps) {
  const translate = useTranslate();
  return (
    <>
      <TextListInput
        label={translate('settings.networks')}
        help={translate('settings.networksHelp')}
        values={networks}
        onChange={onNetworks}
        error={form.fieldProps('networks').helperText}
      />
      <Accordion disableGutters variant="outlined">
        <AccordionSummary expandIcon={<ExpandMoreIcon />}>{translate('settings.existingKey')}</AccordionSummary>
        <AccordionDetails>
          <TextField
            label={translate('settings.key.key')}
            value={existing}
            onChange={({ target }) => onExisting(target.value)}
            {...form.fieldProps('key', translate('settings.existingKeyHelp'))}
            autoComplete="off"
          />
        </AccordionDetails>
      </Accordion>
    </>
  );
}
