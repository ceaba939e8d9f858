/** Two buttons over all that is known of a person: as a file, or erased after a question. Both read it when they are pressed. */
import { Button, Stack } from '@mui/material';
import type { PersonOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { download } from '../parts/download.ts';
import { useMayWrite } from '../parts/layout.tsx';
import { useAct } from '../parts/use-act.ts';

interface Props {
  /** Of the file, without its ending. */
  readonly name: string;
  read(): Promise<PersonOutput>;
  onErase(records: PersonOutput['records']): void;
}

export function KnownButtons({ name, read, onErase }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const giving = useAct('customers.exported');
  const asking = useAct(null);

  const give = async (): Promise<void> =>
    download(`${name}.json`, [JSON.stringify(await read(), undefined, 2)], 'application/json');
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
      <Button variant="outlined" loading={giving.isBusy} onClick={() => void giving.run(give)}>
        {translate('customers.export')}
      </Button>
      {mayWrite && (
        <Button
          variant="outlined"
          color="error"
          loading={asking.isBusy}
          onClick={() => void asking.run(async () => onErase((await read()).records))}
        >
          {translate('customers.erase')}
        </Button>
      )}
    </Stack>
  );
}
