/** A list of records that consist of a text and a position: add, rename, sort and delete. */
import { Box, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Input, Item, PathOf } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { fieldOf } from '../api/record-diff.ts';
import {
  createRecord,
  deleteRecord,
  type FieldPath,
  type PathParameters,
  readAll,
  updateRecord,
} from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { SortableList } from '../components/sortable-list.tsx';
import { positionAtEnd, positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { AddForm } from './add-form.tsx';
import { TextCell } from './text-cell.tsx';

type ListPath = PathOf<'list'> & PathOf<'post'>;
/** Collections of records that have a position and a path of their own. */
export type TextListPath = {
  [P in ListPath]: Item<P> extends { position: number }
    ? `${P}/{id}` extends FieldPath & PathOf<'delete'>
      ? P
      : never
    : never;
}[ListPath];

interface Props {
  /** The path of the collection. */
  readonly path: TextListPath;
  readonly parameters: PathParameters;
  /** The field of the text. */
  readonly field: string;
  /** Message keys: the label of the field for a new text, and the question before a text is deleted. */
  readonly newLabel: string;
  readonly confirmation: string;
  onDone?(): Promise<void>;
}

type Text = Item<TextListPath>;

export function SortableTextList({ path, parameters, field, newLabel, confirmation, onDone }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['texts', path, parameters],
    queryFn: () => readAll(path, parameters),
  });
  const recordPath = `${path}/{id}` as const;
  const textOf = (one: Text): string => String(fieldOf(one, field));

  async function reload(): Promise<void> {
    await refetch();
    await onDone?.();
  }

  async function move(from: number, to: number): Promise<void> {
    await action.run(async () => {
      for (const { id, position } of positionsAfterMove(data!, from, to))
        await updateRecord(recordPath, { ...parameters, id }, { position });
    });
    await reload();
  }

  async function remove({ id }: Text): Promise<void> {
    await action.run(() => deleteRecord(recordPath, { ...parameters, id }));
    await reload();
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={2} />;
  return (
    <Box sx={{ maxWidth: 560 }}>
      <SortableList
        items={data}
        nameOf={textOf}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite || data.length < 2}
      >
        {(one, handle) => (
          <Stack direction="row" spacing={0.5} sx={{ alignItems: 'center', py: 0.25 }}>
            {handle}
            <TextCell
              path={recordPath}
              parameters={{ ...parameters, id: one.id }}
              field={field}
              value={textOf(one)}
              label={`${translate(`field.${field}`)}: ${textOf(one)}`}
              emptyValue=""
              onSaved={reload}
            />
            <DeleteButton name={textOf(one)} confirmation={confirmation} onConfirmed={() => remove(one)} />
          </Stack>
        )}
      </SortableList>
      {mayWrite && (
        <AddForm
          fields={{ [field]: { label: newLabel } }}
          onAdd={async (values) => {
            await createRecord(path, parameters, { ...values, position: positionAtEnd(data) } as Input<
              TextListPath,
              'post'
            >);
            await reload();
          }}
        />
      )}
    </Box>
  );
}
