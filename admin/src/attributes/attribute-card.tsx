/** One declared attribute with its settings and, expanded, its options. Changes are saved immediately. */
import { Box, Button, Card, Chip, MenuItem, Stack, TextField } from '@mui/material';
import type { Input } from 'purveyor/client';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { deleteRecord, updateRecord } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { SortableTextList } from '../forms/sortable-text-list.tsx';
import { TextCell } from '../forms/text-cell.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { type DeclaredAttribute, hasOptions, optionsPathOf, type Scope } from './scope.ts';

export interface AttributeGroup {
  readonly id: number;
  readonly name: string;
}

interface SettingsProps {
  readonly scope: Scope;
  readonly attribute: DeclaredAttribute;
  /** The groups of the scope, if it has any. */
  readonly groups: readonly AttributeGroup[];
  onDone(): Promise<void>;
}

interface Props extends SettingsProps {
  readonly handle: ReactNode;
  readonly isOpen: boolean;
  onToggle(): void;
  onOptionsDone?(): Promise<void>;
}

export function AttributeCard({ handle, isOpen, onToggle, onOptionsDone, ...settings }: Props) {
  const { scope, attribute } = settings;
  const translate = useTranslate();
  return (
    <Card variant="outlined" component="section" aria-label={attribute.name} sx={{ p: 1, mb: 1 }}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {handle}
        <AttributeSettings {...settings} />
        {hasOptions(attribute.kind) && (
          <Button size="small" aria-expanded={isOpen} onClick={onToggle}>
            {translate('attributes.options')}
          </Button>
        )}
      </Stack>
      {isOpen && hasOptions(attribute.kind) && (
        <Box sx={{ pl: { sm: 5 }, pt: 1 }}>
          <SortableTextList
            path={optionsPathOf(scope, attribute.kind)}
            parameters={{ ...scope.parameters, attribute_id: attribute.id }}
            field="value"
            newLabel="attributes.newOption"
            confirmation="attributes.deleteOption"
            {...(onOptionsDone ? { onDone: onOptionsDone } : {})}
          />
        </Box>
      )}
    </Card>
  );
}

function AttributeSettings({ scope, attribute, groups, onDone }: SettingsProps) {
  const translate = useTranslate();
  const action = useAction();
  const { id, name, kind, displayMode } = attribute;
  const path = `${scope.paths[kind]!}/{id}` as const;
  const parameters = { ...scope.parameters, id };

  async function change(fields: { groupId?: number | null; displayMode?: 'S' | 'B' }): Promise<void> {
    await action.run(() => updateRecord(path, parameters, fields as Input<typeof path, 'patch'>));
    await onDone();
  }

  async function remove(): Promise<void> {
    await action.run(() => deleteRecord(path, parameters));
    await onDone();
  }

  return (
    <>
      <Box sx={{ flex: '1 1 160px' }}>
        <TextCell
          path={path}
          parameters={parameters}
          field="name"
          value={name}
          label={`${translate('field.name')}: ${name}`}
          emptyValue=""
          onSaved={onDone}
        />
      </Box>
      <Chip size="small" label={translate(`attributes.kind.${kind}`)} />
      {groups.length > 0 && (
        <SmallSelect
          label={`${translate('attributes.group')}: ${name}`}
          value={attribute.groupId ?? 0}
          width={170}
          choices={[{ id: 0, name: translate('attributes.noGroup') }, ...groups]}
          onChange={(group) => void change({ groupId: Number(group) || null })}
        />
      )}
      {displayMode !== undefined && (
        <SmallSelect
          label={`${translate('attributes.display')}: ${name}`}
          value={displayMode}
          width={130}
          choices={(['S', 'B'] as const).map((mode) => ({ id: mode, name: translate(`attributes.display.${mode}`) }))}
          onChange={(mode) => void change({ displayMode: mode as 'S' | 'B' })}
        />
      )}
      <DeleteButton name={name} confirmation="attributes.delete" onConfirmed={remove} />
    </>
  );
}

interface SmallSelectProps {
  readonly label: string;
  readonly value: string | number;
  readonly width: number;
  readonly choices: readonly { readonly id: string | number; readonly name: string }[];
  onChange(value: string): void;
}

/** A select without a visible label. */
function SmallSelect({ label, value, width, choices, onChange }: SmallSelectProps) {
  const mayWrite = useMayWrite();
  return (
    <TextField
      select
      margin="none"
      value={value}
      disabled={!mayWrite}
      onChange={({ target }) => onChange(target.value)}
      sx={{ width }}
      slotProps={{ htmlInput: { 'aria-label': label } }}
    >
      {choices.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
