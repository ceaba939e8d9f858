/** The sticky bar below a form: save, discard and whether there are unsaved changes. */
import { Box, Button, Typography } from '@mui/material';
import { useEffect } from 'react';
import { useTranslate } from 'react-admin';
import { useFormState } from 'react-hook-form';
import { useMayWrite } from '../utils/use-may.tsx';
import { VISUALLY_HIDDEN } from '../utils/visually-hidden.ts';

interface Props {
  readonly label?: string;
  readonly isBusy: boolean;
  onDiscard?(): void;
  /** A new record can be saved without changes to its initial values. */
  readonly isNew?: boolean;
  /** Key of the message that replaces the buttons while no field has changed; empty for none. */
  readonly otherwise?: string;
}

/** Height of the bar, and of the bar of the page above. */
const SCROLL_PADDING = { bottom: '72px', top: '64px' };

/** Scrolls a field that gets the focus out from under the bars. */
function useScrollPadding(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    const { style } = document.documentElement;
    style.scrollPaddingBottom = SCROLL_PADDING.bottom;
    style.scrollPaddingTop = SCROLL_PADDING.top;
    return () => {
      style.scrollPaddingBottom = '';
      style.scrollPaddingTop = '';
    };
  }, [isShown]);
}

/** The buttons show the same by being enabled. Screen readers still read the text. */
const HIDDEN_ON_PHONES = { '@media (max-width: 599.95px)': VISUALLY_HIDDEN } as const;

export function SaveBar({ label = 'button.save', isBusy, onDiscard, isNew = false, otherwise }: Props) {
  const { dirtyFields } = useFormState();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const isChanged = Object.keys(dirtyFields).length > 0;
  const isShown = mayWrite && (otherwise === undefined || isChanged);
  useScrollPadding(isShown);
  if (!isShown)
    return mayWrite && otherwise ? (
      <Typography variant="body2" color="textSecondary" sx={{ px: { xs: 1.5, sm: 3 }, pb: 2 }}>
        {translate(otherwise)}
      </Typography>
    ) : null;
  return (
    <Box
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 5,
        display: 'flex',
        gap: 1,
        alignItems: 'center',
        py: { xs: 1, sm: 1.5 },
        px: { xs: 1, sm: 2 },
        borderTop: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      <Button
        type="submit"
        variant="contained"
        loading={isBusy}
        disabled={!isChanged && !isNew}
        sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}
      >
        {translate(label)}
      </Button>
      {onDiscard && (
        <Button onClick={onDiscard} disabled={!isChanged || isBusy}>
          {translate('button.discard')}
        </Button>
      )}
      <Typography variant="body2" color="textSecondary" role="status" sx={HIDDEN_ON_PHONES}>
        {isNew ? '' : translate(isChanged ? 'state.unsaved' : 'state.unchanged')}
      </Typography>
    </Box>
  );
}
