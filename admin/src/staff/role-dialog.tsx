/** Creates or changes a role. */
import type { RolePatch, RoleWrite } from 'purveyor/client';
import { useInput, useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { Scope } from '../api/access.ts';
import { store } from '../api/client.ts';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { MaskInput } from '../settings/mask-input.tsx';
import { ScopeInput } from '../settings/scope-input.tsx';
import { useAccess } from '../utils/use-may.tsx';
import { useExplained } from './use-explained.ts';

const EMPTY_VALUES = { name: '', scopes: [], masks: [] };

const LABELS: Readonly<Record<string, string>> = { scopes: 'staff.scopes', masks: 'settings.masks' };

interface Props {
  /** Undefined for a new role. */
  readonly id?: number;
  onClose(): void;
  onDone(): Promise<unknown>;
}

export function RoleDialog({ id, onClose, onDone }: Props) {
  const translate = useTranslate();
  const explained = useExplained();
  // Someone from whom fields are hidden can only create roles that hide them too.
  const ownMasks = useAccess()?.masks ?? [];

  async function read(): Promise<Version> {
    if (id === undefined) return { values: { ...EMPTY_VALUES, masks: ownMasks }, etag: '' };
    const { data, etag } = await store.get('/roles/{id}', { id });
    return { values: { name: data.name, scopes: data.scopes, masks: data.masks }, etag: etag! };
  }

  return (
    <RecordDialog
      title={translate(id === undefined ? 'staff.newRole' : 'staff.editRole')}
      maxWidth="md"
      queryKey={['role', id]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => LABELS[field] && translate(LABELS[field])}
      read={read}
      write={(changed, ifMatch, values) =>
        explained(() =>
          id === undefined
            ? store.post('/roles', { ...EMPTY_VALUES, ...values } as unknown as RoleWrite)
            : store.patch('/roles/{id}', { id }, changed as RolePatch, { ifMatch }),
        )
      }
      {...{ onClose, onDone }}
    >
      <PlainTextInput source="name" required />
      <ScopesField />
      <MasksField />
    </RecordDialog>
  );
}

function ScopesField() {
  const translate = useTranslate();
  const { field, fieldState } = useInput({ source: 'scopes' });
  return (
    <ScopeInput
      scopes={(field.value ?? []) as Scope[]}
      onChange={(scopes) => field.onChange([...scopes].sort())}
      label={translate('staff.scopes')}
      help={translate('staff.scopesHelp')}
      error={fieldState.invalid ? translate('staff.chooseScope') : undefined}
    />
  );
}

function MasksField() {
  const { field, fieldState } = useInput({ source: 'masks' });
  const scopes = useWatch({ name: 'scopes' }) as Scope[] | undefined;
  return (
    <MaskInput
      scopes={scopes ?? []}
      masks={(field.value ?? []) as string[]}
      onChange={(masks) => field.onChange([...masks].sort())}
      error={fieldState.error?.message}
    />
  );
}
