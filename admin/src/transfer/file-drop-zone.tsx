/** Accepts one file, dropped or chosen. */
import FileIcon from '@mui/icons-material/UploadFileOutlined';
import { Box, Button, Stack, Typography } from '@mui/material';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  readonly hasFile: boolean;
  readonly isDisabled: boolean;
  onFile(file: File): void;
}

export function FileDropZone({ hasFile, isDisabled, onFile }: Props) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const label = translate(hasFile ? 'import.chooseOtherFile' : 'import.chooseFile');

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !isDisabled) onFile(file);
  };

  return (
    <Box
      data-drop
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!isDisabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      sx={{ border: 2, borderStyle: 'dashed', borderRadius: 2, borderColor: isOver ? 'primary.main' : 'divider', p: 2 }}
    >
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2} sx={{ alignItems: { sm: 'center' } }}>
        <Button
          startIcon={<FileIcon />}
          variant={hasFile ? 'outlined' : 'contained'}
          disabled={isDisabled}
          onClick={() => input.current?.click()}
          sx={{ flexShrink: 0 }}
        >
          {label}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          aria-label={label}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // Otherwise choosing the same file again would be no change.
            target.value = '';
            if (file) onFile(file);
          }}
        />
        <Typography variant="body2" color="textSecondary">
          {translate('import.dropHere')}
        </Typography>
      </Stack>
    </Box>
  );
}
