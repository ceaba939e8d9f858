/** Adds images to a product: chosen, dropped, pasted or downloaded by the store from a URL. */
import { Alert, Box, Button, LinearProgress, Stack, TextField, Typography } from '@mui/material';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { FileButton } from '../../components/file-button.tsx';
import { toBase64 } from '../../utils/base64.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';

interface Props {
  readonly product_id: number;
  /** The position of the last image. */
  readonly lastPosition: number;
  onDone(): Promise<void>;
}

export function ImageUploader(props: Props) {
  const translate = useTranslate();
  const [isOver, setOver] = useState(false);
  const { uploading, problems, addFiles, addUrl } = useImageUpload(props);

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) void addFiles([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void addFiles(files);
  };

  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={paste}
      sx={{ border: 2, borderStyle: 'dashed', borderRadius: 2, borderColor: isOver ? 'primary.main' : 'divider', p: 2 }}
    >
      <Stack direction={{ xs: 'column', md: 'row' }} spacing={2} sx={{ alignItems: { md: 'center' } }}>
        <FileButton label="products.chooseImages" isMultiple onFiles={(files) => void addFiles(files)} />
        <UrlField onUrl={addUrl} />
      </Stack>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate('products.dropImages')}
      </Typography>
      {uploading !== undefined && <LinearProgress sx={{ mt: 1 }} aria-label={uploading} />}
      {problems.map((problem) => (
        <Alert key={problem} severity="error" sx={{ mt: 1 }}>
          {problem}
        </Alert>
      ))}
    </Box>
  );
}

const POSITION_STEP = 10;

function useImageUpload({ product_id, lastPosition, onDone }: Props) {
  const errorMessage = useErrorMessage();
  /** The name or URL of the image that is being sent. */
  const [uploading, setUploading] = useState<string>();
  const [problems, setProblems] = useState<readonly string[]>([]);

  /** @returns the message of an error, if there is one */
  async function send(name: string, source: object, position: number): Promise<string[]> {
    setUploading(name);
    try {
      await store.post('/products/{product_id}/images', { product_id }, { ...source, position });
      return [];
    } catch (error) {
      return [`${name}: ${errorMessage(error)}`];
    }
  }

  async function addFiles(files: Iterable<File>): Promise<void> {
    const messages: string[] = [];
    let position = lastPosition;
    for (const file of files) {
      position += POSITION_STEP;
      const source = { attachment: await toBase64(file), filename: file.name };
      messages.push(...(await send(file.name, source, position)));
    }
    setProblems(messages);
    setUploading(undefined);
    await onDone();
  }

  /** @returns whether the image was added */
  async function addUrl(externalUrl: string): Promise<boolean> {
    const messages = await send(externalUrl, { externalUrl }, lastPosition + POSITION_STEP);
    setProblems(messages);
    setUploading(undefined);
    const isAdded = messages.length === 0;
    if (isAdded) await onDone();
    return isAdded;
  }

  return { uploading, problems, addFiles, addUrl };
}

/** @param onUrl returns whether the image was added; the field is emptied then */
function UrlField({ onUrl }: { onUrl(url: string): Promise<boolean> }) {
  const [url, setUrl] = useState('');
  const translate = useTranslate();

  async function add(): Promise<void> {
    if (url !== '' && (await onUrl(url))) setUrl('');
  }

  return (
    <>
      <TextField
        label={translate('products.imageUrl')}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void add();
        }}
        type="url"
        placeholder="https://"
      />
      <Button onClick={() => void add()} disabled={url === ''} sx={{ flexShrink: 0 }}>
        {translate('button.add')}
      </Button>
    </>
  );
}
