/** The search field of a list. */
import SearchIcon from '@mui/icons-material/Search';
import { InputAdornment, TextField } from '@mui/material';
import { useInput, useTranslate } from 'react-admin';

interface Props {
  readonly source: string;
  /** Message key: what is searched. */
  readonly help: string;
  readonly alwaysOn?: boolean;
}

export function SearchFilter({ source, help }: Props) {
  const { field } = useInput({ source });
  const translate = useTranslate();
  return (
    <TextField
      {...field}
      value={field.value ?? ''}
      type="search"
      placeholder={translate(help)}
      // Enter would submit the form, which has no effect.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      slotProps={{
        htmlInput: { 'aria-label': translate('ra.action.search') },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
      sx={{ width: { xs: '100%', sm: 340 } }}
    />
  );
}
