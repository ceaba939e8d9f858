/** The attributes declared in a scope: add, rename, sort, group and delete them. */
import { Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { updateRecord } from '../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { SortableList } from '../components/sortable-list.tsx';
import { positionAtEnd, positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { AddAttribute } from './add-attribute.tsx';
import { AttributeCard, type AttributeGroup } from './attribute-card.tsx';
import { readDeclaredAttributes, type Scope } from './scope.ts';

interface Props {
  readonly scope: Scope;
  readonly groups?: readonly AttributeGroup[];
  onDone?(): Promise<void>;
}

export function AttributeList({ scope, groups = [], onDone }: Props) {
  const [openId, setOpenId] = useState<number>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['declared', scope.name, scope.parameters],
    queryFn: () => readDeclaredAttributes(scope),
  });

  async function reload(): Promise<void> {
    await refetch();
    await onDone?.();
  }

  async function move(from: number, to: number): Promise<void> {
    await action.run(async () => {
      for (const { id, position } of positionsAfterMove(data!, from, to)) {
        const { kind } = data!.find((attribute) => attribute.id === id)!;
        await updateRecord(`${scope.paths[kind]!}/{id}` as const, { ...scope.parameters, id }, { position });
      }
    });
    await reload();
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;
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
          <AttributeCard
            scope={scope}
            attribute={attribute}
            groups={groups}
            handle={handle}
            isOpen={openId === attribute.id}
            onToggle={() => setOpenId(openId === attribute.id ? undefined : attribute.id)}
            onDone={reload}
            {...(onDone ? { onOptionsDone: onDone } : {})}
          />
        )}
      </SortableList>
      {mayWrite && (
        <AddAttribute
          scope={scope}
          position={positionAtEnd(data)}
          onCreated={async (id) => {
            setOpenId(id);
            await reload();
          }}
        />
      )}
    </Stack>
  );
}
