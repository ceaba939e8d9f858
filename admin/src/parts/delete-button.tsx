/** Deletes one thing, after a question. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { IconButton } from '@mui/material';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { useMayWrite } from './layout.tsx';

interface Props {
  readonly name: string;
  /** The key of the sentence that says what goes. */
  readonly question: string;
  onConfirmed(): Promise<unknown>;
}

export function DeleteButton({ name, question, onConfirmed }: Props) {
  const [isAsked, setAsked] = useState(false);
  const translate = useTranslate();
  const label = `${translate('button.delete')}: ${name}`;
  if (!useMayWrite()) return null;
  return (
    <>
      <IconButton size="small" onClick={() => setAsked(true)} aria-label={label}>
        <DeleteIcon fontSize="small" />
      </IconButton>
      {isAsked && (
        <Confirm
          isOpen
          title={label}
          content={translate(question)}
          onClose={() => setAsked(false)}
          onConfirm={() => {
            setAsked(false);
            void onConfirmed();
          }}
        />
      )}
    </>
  );
}
