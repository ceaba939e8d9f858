/** Chips that filter a list by one of a few values. */
import { Chip, Stack } from '@mui/material';
import { useTranslate } from 'react-admin';

interface Props<T extends string> {
  /** Message key. */
  readonly label: string;
  readonly choices: readonly T[];
  /** Undefined: all records are shown. */
  readonly value: T | undefined;
  /** Returns the message key of a value. */
  labelOf(value: T): string;
  onChange(value: T | undefined): void;
}

export function ChoiceChips<T extends string>({ label, choices, value, labelOf, onChange }: Props<T>) {
  const translate = useTranslate();
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }} role="group" aria-label={translate(label)}>
      {[undefined, ...choices].map((each) => (
        <Chip
          key={each ?? ''}
          label={translate(each === undefined ? 'list.all' : labelOf(each))}
          color={each === value ? 'primary' : 'default'}
          variant={each === value ? 'filled' : 'outlined'}
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        />
      ))}
    </Stack>
  );
}
