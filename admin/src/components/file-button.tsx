/** A button that opens the file chooser for images. */
import AddIcon from '@mui/icons-material/AddPhotoAlternateOutlined';
import { Button } from '@mui/material';
import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import { IMAGE_TYPES } from '../utils/image-types.ts';

interface Props {
  /** Message key. */
  readonly label: string;
  readonly isMultiple?: boolean;
  readonly isBusy?: boolean;
  onFiles(files: readonly File[]): void;
}

export function FileButton({ label, isMultiple = false, isBusy = false, onFiles }: Props) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        startIcon={<AddIcon />}
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
        accept={IMAGE_TYPES}
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
