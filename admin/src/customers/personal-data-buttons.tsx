/** Downloads or erases a person's data. Both read the data when they are clicked. */
import { Button, Stack } from '@mui/material';
import type { PersonOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { download } from '../utils/download.ts';
import { useAction } from '../utils/use-action.ts';
import { useMay } from '../utils/use-may.tsx';

interface Props {
  /** The name of the file, without its extension. */
  readonly name: string;
  read(): Promise<PersonOutput>;
  onErase(records: PersonOutput['records']): void;
}

export function PersonalDataButtons({ name, read, onErase }: Props) {
  const translate = useTranslate();
  const mayErase = useMay('privacy:erase');
  const downloading = useAction('customers.exported');
  const reading = useAction(null);

  const save = async (): Promise<void> =>
    download(`${name}.json`, [JSON.stringify(await read(), undefined, 2)], 'application/json');
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
      <Button variant="outlined" loading={downloading.isBusy} onClick={() => void downloading.run(save)}>
        {translate('customers.export')}
      </Button>
      {mayErase && (
        <Button
          variant="outlined"
          color="error"
          loading={reading.isBusy}
          onClick={() => void reading.run(async () => onErase((await read()).records))}
        >
          {translate('customers.erase')}
        </Button>
      )}
    </Stack>
  );
}
