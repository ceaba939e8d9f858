/** The buttons of a review. Only a session that may change products sees them. */
import { Button, Stack } from '@mui/material';
import type { ReviewOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { updateField } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { APPROVED, isApproved, PENDING } from './status.ts';

const PATH = '/products/{product_id}/reviews/{id}';

interface Props {
  readonly review: ReviewOutput;
  onChanged(): Promise<void>;
}

export function ReviewActions({ review, onChanged }: Props) {
  const { id, product_id, reviewer_name, status, response } = review;
  const [isReplying, setReplying] = useState(false);
  const translate = useTranslate();
  const action = useAction();
  if (!useMayWrite()) return null;
  const approve = translate(isApproved(review) ? 'reviews.withdraw' : 'reviews.approve');
  const reply = translate(response === null ? 'reviews.reply' : 'reviews.editReply');

  async function run(send: () => Promise<unknown>): Promise<void> {
    await action.run(send);
    await onChanged();
  }

  /** If someone else has changed the status, the review already has the other of the two. */
  const toggle = () => updateField(PATH, { product_id, id }, 'status', status, isApproved(review) ? PENDING : APPROVED);

  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      <Button
        size="small"
        variant={isApproved(review) ? 'text' : 'outlined'}
        loading={action.isBusy}
        onClick={() => void run(toggle)}
        aria-label={`${approve}: ${reviewer_name}`}
      >
        {approve}
      </Button>
      <Button size="small" onClick={() => setReplying(true)} aria-label={`${reply}: ${reviewer_name}`}>
        {reply}
      </Button>
      <DeleteButton
        name={reviewer_name}
        confirmation="reviews.delete"
        onConfirmed={() => run(() => store.delete(PATH, { product_id, id }))}
      />
      {isReplying && <ReplyDialog review={review} onClose={() => setReplying(false)} onDone={onChanged} />}
    </Stack>
  );
}

interface ReplyProps {
  readonly review: ReviewOutput;
  onClose(): void;
  onDone(): Promise<void>;
}

/** Writes the shop's reply. An emptied one is removed. */
function ReplyDialog({ review: { id, product_id, reviewer_name }, onClose, onDone }: ReplyProps) {
  const translate = useTranslate();

  async function read(): Promise<Version> {
    const { data, etag } = await store.get(PATH, { product_id, id });
    return { values: { response: data.response }, etag: etag! };
  }

  return (
    <RecordDialog
      title={translate('reviews.replyTo', { name: reviewer_name })}
      queryKey={['review', id]}
      read={read}
      write={({ response }, etag) =>
        store.patch(PATH, { product_id, id }, { response: (response as string) || null }, { ifMatch: etag })
      }
      {...{ onClose, onDone }}
    >
      <PlainTextInput source="response" lines={4} help="help.response" />
    </RecordDialog>
  );
}
