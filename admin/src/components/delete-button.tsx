/** A delete button that asks for confirmation. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { IconButton } from '@mui/material';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { useMayWrite } from '../utils/use-may.tsx';

interface Props {
  readonly name: string;
  /** Key of the message that says what will be deleted. */
  readonly confirmation: string;
  /** Whether the session may delete; if left out, whether it may change the records of the screen. */
  readonly isAllowed?: boolean;
  onConfirmed(): Promise<unknown>;
}

export function DeleteButton({ name, confirmation, isAllowed, onConfirmed }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const translate = useTranslate();
  const label = `${translate('button.delete')}: ${name}`;
  const mayWrite = useMayWrite();
  if (!(isAllowed ?? mayWrite)) return null;
  return (
    <>
      <IconButton size="small" onClick={() => setConfirming(true)} aria-label={label}>
        <DeleteIcon fontSize="small" />
      </IconButton>
      {isConfirming && (
        <Confirm
          isOpen
          title={label}
          content={translate(confirmation)}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            void onConfirmed();
          }}
        />
      )}
    </>
  );
}
