/** A button that opens the file chooser, for images by default. */
import AddIcon from '@mui/icons-material/AddPhotoAlternateOutlined';
import { Button } from '@mui/material';
import { type ReactNode, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { IMAGE_TYPES } from '../utils/image-types.ts';

interface Props {
  /** Message key. */
  readonly label: string;
  readonly isMultiple?: boolean;
  readonly isBusy?: boolean;
  /** Media types or extensions, separated by commas; empty for any file. */
  readonly accept?: string;
  readonly icon?: ReactNode;
  onFiles(files: readonly File[]): void;
}

export function FileButton({
  label,
  isMultiple = false,
  isBusy = false,
  accept = IMAGE_TYPES,
  icon = <AddIcon />,
  onFiles,
}: Props) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        startIcon={icon}
        variant="outlined"
        loading={isBusy}
        onClick={() => input.current?.click()}
        sx={{ flexShrink: 0 }}
      >
        {translate(label)}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={isMultiple}
        hidden
        aria-label={translate(label)}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Otherwise choosing the same file again would be no change.
          target.value = '';
          onFiles(files);
        }}
      />
    </>
  );
}
