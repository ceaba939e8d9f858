/** The attachments of a product, such as manuals. Changes are saved immediately. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, Chip, IconButton, Link, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProductAttachmentOutput } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { SortableList } from '../components/sortable-list.tsx';
import { useRegionalLocale } from '../utils/format.ts';
import { ownPath } from '../utils/image-source.ts';
import { positionAtEnd, positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { type AccessChoice, AttachmentDialog } from './attachment-dialog.tsx';
import type { TabProps } from './types.ts';

const ONE = '/products/{product_id}/attachments/{id}';

export function AttachmentsTab({ loaded }: TabProps) {
  const product_id = loaded.product.id;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const accessChoices = useAccessChoices();
  /** The attachment whose dialog is open. */
  const [edited, setEdited] = useState<ProductAttachmentOutput | 'new'>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['attachments', product_id],
    queryFn: () => readAll('/products/{product_id}/attachments', { product_id }),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;

  async function move(from: number, to: number): Promise<void> {
    await action.run(async () => {
      for (const { id, position } of positionsAfterMove(data!, from, to))
        await store.patch(ONE, { product_id, id }, { position });
    });
    await refetch();
  }

  async function remove(id: number): Promise<void> {
    await action.run(() => store.delete(ONE, { product_id, id }));
    await refetch();
  }

  return (
    <Stack spacing={2} sx={{ maxWidth: 960 }}>
      <Typography color="textSecondary">{translate('attachments.help')}</Typography>
      {mayWrite && (
        <Box>
          <Button variant="outlined" onClick={() => setEdited('new')}>
            {translate('attachments.add')}
          </Button>
        </Box>
      )}
      {data.length === 0 && <Typography color="textSecondary">{translate('attachments.none')}</Typography>}
      <SortableList
        items={data}
        nameOf={({ title }) => title}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite}
      >
        {(attachment, handle) => (
          <AttachmentRow
            attachment={attachment}
            handle={handle}
            access={accessChoices.find(({ id }) => id === attachment.access)?.name ?? attachment.access}
            onEdit={() => setEdited(attachment)}
            onDelete={() => remove(attachment.id)}
          />
        )}
      </SortableList>
      {edited !== undefined && (
        <AttachmentDialog
          product_id={product_id}
          attachment={edited === 'new' ? undefined : edited}
          position={positionAtEnd(data)}
          accessChoices={accessChoices}
          onClose={() => {
            setEdited(undefined);
            void refetch();
          }}
          onDone={refetch}
        />
      )}
    </Stack>
  );
}

/** Who an attachment can be for: everyone, registered customers, and each membership. */
function useAccessChoices(): readonly AccessChoice[] {
  const translate = useTranslate();
  const { data = [] } = useQuery({ queryKey: ['memberships', 'all'], queryFn: () => readAll('/memberships') });
  return [
    ...['A', 'R'].map((id) => ({ id, name: translate(`attachments.access.${id}`) })),
    ...data.map(({ id, name }) => ({ id: `${id}`, name: translate('attachments.access.membership', { name }) })),
  ];
}

interface RowProps {
  readonly attachment: ProductAttachmentOutput;
  readonly handle: ReactNode;
  readonly access: string;
  onEdit(): void;
  onDelete(): Promise<void>;
}

function AttachmentRow({ attachment, handle, access, onEdit, onDelete }: RowProps) {
  const { title, description, filename, size, url } = attachment;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const locale = useRegionalLocale();
  return (
    <Stack
      direction="row"
      spacing={1}
      useFlexGap
      sx={{ alignItems: 'center', flexWrap: 'wrap', py: 1, borderBottom: 1, borderColor: 'divider' }}
    >
      {handle}
      <Box sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
        {description !== '' && <Typography variant="body2">{description}</Typography>}
        <Typography variant="body2" color="textSecondary">
          <Link
            href={ownPath(url)}
            download={filename}
            aria-label={translate('attachments.download', { name: filename })}
          >
            {filename}
          </Link>{' '}
          · {fileSize(size, locale)}
        </Typography>
      </Box>
      <Chip size="small" variant="outlined" label={access} />
      {mayWrite && (
        <IconButton size="small" onClick={onEdit} aria-label={`${translate('button.edit')}: ${title}`}>
          <EditIcon fontSize="small" />
        </IconButton>
      )}
      <DeleteButton name={title} confirmation="attachments.delete" onConfirmed={onDelete} />
    </Stack>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Writes a size with its largest fitting unit, for example `1.4 MB`. */
function fileSize(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const unitDisplay = power === 0 ? 'long' : 'short';
  const options = { style: 'unit', unit: UNITS[power]!, unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format(bytes / 1000 ** power);
}
