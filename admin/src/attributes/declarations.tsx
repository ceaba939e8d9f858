/** The attributes that are declared in one place: made, renamed, sorted, put into groups, deleted. Done at once. */
import { Box, Button, Card, Chip, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { DeleteButton } from '../parts/delete-button.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { positionAtEnd, positionsAfterMove } from '../parts/positions.ts';
import { SortableList } from '../parts/sortable.tsx';
import { SortedTexts } from '../parts/sorted-texts.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { TextCell } from '../parts/text-cell.tsx';
import { useAct } from '../parts/use-act.ts';
import { anyStore } from '../store/data-provider.ts';
import { AddAttribute } from './add-attribute.tsx';
import { type Declared, declaredIn, hasOptions, pathOf, type Scope } from './scope.ts';

interface Props {
  readonly scope: Scope;
  /** Of this scope; empty where it has none. */
  readonly groups?: readonly { readonly id: number; readonly name: string }[];
  onDone?(): Promise<void>;
}

export function Declarations({ scope, groups = [], onDone }: Props) {
  const [open, setOpen] = useState<number>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['declared', scope.prefix, scope.parameters],
    queryFn: () => declaredIn(scope),
  });

  async function renew(): Promise<void> {
    await refetch();
    await onDone?.();
  }

  async function move(from: number, to: number): Promise<void> {
    await act.run(async () => {
      for (const { id, position } of positionsAfterMove(data!, from, to)) {
        const { kind } = data!.find((one) => one.id === id)!;
        await anyStore().patch(`${pathOf(scope, kind)}/{id}`, { ...scope.parameters, id }, { position });
      }
    });
    await renew();
  }

  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={3} />;
  return (
    <Stack spacing={2}>
      {data.length === 0 && <Typography color="textSecondary">{translate('attributes.none')}</Typography>}
      <SortableList
        items={data}
        nameOf={({ name }) => name}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite || data.length < 2}
      >
        {(attribute, handle) => (
          <Card variant="outlined" component="section" aria-label={attribute.name} sx={{ p: 1, mb: 1 }}>
            <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
              {handle}
              <Fields scope={scope} attribute={attribute} groups={groups} onDone={renew} />
              {hasOptions(attribute) && (
                <Button
                  size="small"
                  aria-expanded={open === attribute.id}
                  onClick={() => setOpen(open === attribute.id ? undefined : attribute.id)}
                >
                  {translate('attributes.options')}
                </Button>
              )}
            </Stack>
            {open === attribute.id && hasOptions(attribute) && (
              <Box sx={{ pl: { sm: 5 }, pt: 1 }}>
                <SortedTexts
                  path={`${pathOf(scope, attribute.kind)}/{attribute_id}/options`}
                  parameters={{ ...scope.parameters, attribute_id: attribute.id }}
                  field="value"
                  labelOfNew="attributes.newOption"
                  question="attributes.deleteOption"
                  {...(onDone ? { onDone } : {})}
                />
              </Box>
            )}
          </Card>
        )}
      </SortableList>
      {mayWrite && (
        <AddAttribute
          scope={scope}
          position={positionAtEnd(data)}
          onMade={async (id) => {
            setOpen(id);
            await renew();
          }}
        />
      )}
    </Stack>
  );
}

function Fields({
  scope,
  attribute,
  groups,
  onDone,
}: Required<Omit<Props, 'onDone'>> & { attribute: Declared; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const { id, name, kind } = attribute;
  const path = `${pathOf(scope, kind)}/{id}`;
  const parameters = { ...scope.parameters, id };

  async function change(fields: object): Promise<void> {
    await act.run(() => anyStore().patch(path, parameters, fields));
    await onDone();
  }

  async function remove(): Promise<void> {
    await act.run(() => anyStore().delete(path, parameters));
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
          emptied=""
          onSaved={onDone}
        />
      </Box>
      <Chip size="small" label={translate(`attributes.kind.${kind}`)} />
      {scope.hasGroups && groups.length > 0 && (
        <TextField
          select
          margin="none"
          value={attribute.groupId ?? 0}
          disabled={!mayWrite}
          onChange={({ target }) => void change({ groupId: Number(target.value) || null })}
          sx={{ width: 170 }}
          slotProps={{ htmlInput: { 'aria-label': `${translate('attributes.group')}: ${name}` } }}
        >
          <MenuItem value={0}>{translate('attributes.noGroup')}</MenuItem>
          {groups.map((group) => (
            <MenuItem key={group.id} value={group.id}>
              {group.name}
            </MenuItem>
          ))}
        </TextField>
      )}
      {attribute.displayMode !== undefined && (
        <TextField
          select
          margin="none"
          value={attribute.displayMode}
          disabled={!mayWrite}
          onChange={({ target }) => void change({ displayMode: target.value })}
          sx={{ width: 130 }}
          slotProps={{ htmlInput: { 'aria-label': `${translate('attributes.display')}: ${name}` } }}
        >
          {(['S', 'B'] as const).map((mode) => (
            <MenuItem key={mode} value={mode}>
              {translate(`attributes.display.${mode}`)}
            </MenuItem>
          ))}
        </TextField>
      )}
      <DeleteButton name={name} question="attributes.delete" onConfirmed={remove} />
    </>
  );
}
