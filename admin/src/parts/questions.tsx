/** The few questions that a shop asks of a list every day: each is a set of filters. */
import { Chip, Stack } from '@mui/material';
import { useListContext, useTranslate } from 'react-admin';
import { isSame, type Values } from '../store/changes.ts';
import { filterOf } from '../store/data-provider.ts';

interface Props {
  /** The key of their common name. */
  readonly label: string;
  /** Key of the text and filters of each. */
  readonly questions: readonly (readonly [label: string, filter: Values])[];
}

export function Questions({ label, questions }: Props) {
  const { filterValues, setFilters } = useListContext();
  const translate = useTranslate();
  return (
    <Stack
      direction="row"
      spacing={1}
      useFlexGap
      sx={{ p: 1, flexWrap: 'wrap' }}
      role="group"
      aria-label={translate(label)}
    >
      {questions.map(([name, filter]) => {
        const isAsked = isSame(filterOf(filterValues), filter);
        return (
          <Chip
            key={name}
            label={translate(name)}
            color={isAsked ? 'primary' : 'default'}
            variant={isAsked ? 'filled' : 'outlined'}
            aria-pressed={isAsked}
            onClick={() => setFilters(filter)}
          />
        );
      })}
    </Stack>
  );
}
