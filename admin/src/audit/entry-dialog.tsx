/** One entry: who did it, when, from where, and what changed. */
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  type Theme,
  useMediaQuery,
} from '@mui/material';
import type { AuditEntry } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { DetailsList } from '../staff/details-list.tsx';
import { useFormat } from '../utils/format.ts';
import { useActorName } from './actors.ts';
import { ChangesTable } from './changes-table.tsx';
import { ACTIONS_WITHOUT_FIELDS } from './entries.ts';
import { mainRecord } from './record-paths.ts';
import { RestoreButton } from './restore-button.tsx';
import { Sentence, useKind } from './sentence.tsx';
import { useNames } from './use-names.ts';

interface Props {
  readonly entry: AuditEntry;
  /** Called after the entry’s version or record was restored. */
  onRestored(): Promise<unknown>;
  onClose(): void;
}

export function EntryDialog({ entry, onRestored, onClose }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const actorName = useActorName();
  const kindOf = useKind();
  const nameOf = useNames([mainRecord(entry.path ?? '')]);
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  const { actor, date, address, resource, path } = entry;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" fullScreen={isNarrow} aria-labelledby="audit-entry">
      <DialogTitle id="audit-entry">{translate('audit.details')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <DetailsList
            details={[
              [translate('audit.when'), format.dateTime(date)],
              [translate('audit.who'), actorName(actor)],
              [translate('audit.what'), <Sentence key="what" entry={entry} nameOf={nameOf} />],
              ...(resource === null ? [] : ([[translate('audit.kind'), kindOf(resource)]] as const)),
              ...(address === null ? [] : ([[translate('audit.address'), address]] as const)),
              ...(path === null ? [] : ([[translate('audit.path'), path]] as const)),
            ]}
          />
          {!ACTIONS_WITHOUT_FIELDS.includes(entry.action) && <ChangesTable entry={entry} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <RestoreButton entry={entry} onRestored={onRestored} onDone={onClose} />
        <Button onClick={onClose}>{translate('button.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
