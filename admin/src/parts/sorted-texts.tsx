/** Records that are a text and a position: added, written over, sorted and deleted where they stand. */
import { Box, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { anyStore, given } from '../store/data-provider.ts';
import { AddForm } from './add-form.tsx';
import { DeleteButton } from './delete-button.tsx';
import { useMayWrite } from './layout.tsx';
import { type Placed, positionAtEnd, positionsAfterMove } from './positions.ts';
import { SortableList } from './sortable.tsx';
import { Failed, Reading } from './states.tsx';
import { TextCell } from './text-cell.tsx';
import { useAct } from './use-act.ts';

interface Props {
  /** Of the collection, and what its braces stand for. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** The field of the text. */
  readonly field: string;
  /** Keys of the texts beside the field for a new one, and of the question before one is deleted. */
  readonly labelOfNew: string;
  readonly question: string;
  onDone?(): Promise<void>;
}

type Text = Placed & Readonly<Record<string, unknown>>;

export function SortedTexts({ path, parameters, field, labelOfNew, question, onDone }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['texts', path, parameters],
    queryFn: async () => {
      const found: Text[] = [];
      for await (const one of anyStore().list(path, ...given(path, parameters))) found.push(one);
      return found;
    },
  });
  const own = `${path}/{id}`;
  const textOf = (one: Text): string => String(one[field]);

  async function renew(): Promise<void> {
    await refetch();
    await onDone?.();
  }

  async function move(from: number, to: number): Promise<void> {
    await act.run(async () => {
      for (const { id, position } of positionsAfterMove(data!, from, to))
        await anyStore().patch(own, { ...parameters, id }, { position });
    });
    await renew();
  }

  async function remove({ id }: Text): Promise<void> {
    await act.run(() => anyStore().delete(own, { ...parameters, id }));
    await renew();
  }

  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={2} />;
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
              path={own}
              parameters={{ ...parameters, id: one.id }}
              field={field}
              value={textOf(one)}
              label={`${translate(`field.${field}`)}: ${textOf(one)}`}
              emptied=""
              onSaved={renew}
            />
            <DeleteButton name={textOf(one)} question={question} onConfirmed={() => remove(one)} />
          </Stack>
        )}
      </SortableList>
      {mayWrite && (
        <AddForm
          fields={{ [field]: { label: labelOfNew } }}
          onAdd={async (values) => {
            await anyStore().post(path, ...given(path, parameters), { ...values, position: positionAtEnd(data) });
            await renew();
          }}
        />
      )}
    </Box>
  );
}
