/** Finds products, categories, orders and customers from every screen (`GET /lookup`). */
import SearchIcon from '@mui/icons-material/SearchOutlined';
import { Autocomplete, Box, Button, Dialog, DialogContent, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { store } from '../api/client.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

/** Shorter texts are rejected. */
const LENGTH_MIN = 2;
const LENGTH_MAX = 100;
const PAUSE_MILLISECONDS = 200;

export function Lookup() {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  useEffect(() => {
    function openByKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    }
    document.addEventListener('keydown', openByKey);
    return () => document.removeEventListener('keydown', openByKey);
  }, []);
  return (
    <>
      <Button size="small" color="inherit" startIcon={<SearchIcon />} onClick={() => setOpen(true)} title="Ctrl+K">
        {translate('lookup.open')}
      </Button>
      {isOpen && <LookupDialog onClose={() => setOpen(false)} />}
    </>
  );
}

async function find(text: string) {
  return (await store.get('/lookup', { filter: { q: text } })).data;
}

type Found = Awaited<ReturnType<typeof find>>[number];

function LookupDialog({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isAsked = text.length >= LENGTH_MIN;
  const {
    data = [],
    error,
    isFetching,
  } = useQuery({
    queryKey: ['lookup', text],
    queryFn: () => find(text),
    enabled: isAsked,
  });

  function open(record: Found | null): void {
    if (!record) return;
    onClose();
    navigate(record.path.slice('/api'.length));
  }

  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      slotProps={{ paper: { 'aria-label': translate('lookup.open') } }}
    >
      <DialogContent sx={{ minHeight: 320 }}>
        <Autocomplete
          open={isAsked}
          openOnFocus
          options={data}
          value={null}
          inputValue={typed}
          loading={isFetching || text !== typed.trim()}
          loadingText={translate('state.loading')}
          noOptionsText={translate('list.noMatch')}
          filterOptions={(options) => options}
          getOptionLabel={({ id, title }) => title ?? `${id}`}
          getOptionKey={({ path }) => path}
          onInputChange={(_event, value, reason) => reason === 'input' && setTyped(value)}
          onChange={(_event, record) => open(record)}
          onClose={(_event, reason) => reason === 'escape' && onClose()}
          renderOption={({ key, ...item }, { resource, title, id }) => (
            <Box component="li" key={key} {...item} sx={{ display: 'flex', gap: 2, overflowWrap: 'anywhere' }}>
              <Box component="span" sx={{ flexGrow: 1 }}>
                {title ?? id}
              </Box>
              <Typography component="span" variant="body2" color="textSecondary">
                {translate(`lookup.${resource}`)}
              </Typography>
            </Box>
          )}
          forcePopupIcon={false}
          disablePortal
          renderInput={(input) => (
            <TextField
              {...input}
              autoFocus
              label={translate('lookup.label')}
              error={error !== null}
              helperText={error ? errorMessage(error) : translate('lookup.help')}
              slotProps={{ ...input.slotProps, htmlInput: { ...input.slotProps.htmlInput, maxLength: LENGTH_MAX } }}
            />
          )}
        />
      </DialogContent>
    </Dialog>
  );
}
