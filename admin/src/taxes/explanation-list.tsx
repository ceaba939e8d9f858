/** Which rules determine a price, and why others do not. */
import AppliesIcon from '@mui/icons-material/CheckCircleOutlined';
import NotUsedIcon from '@mui/icons-material/RemoveCircleOutlineOutlined';
import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { useExplanationText } from './explanation-text.ts';
import type { Answer, Explained } from './price-request.ts';

const GROUPS = [
  ['tester.group.price', ['regular', 'own_sale', 'sale_discount', 'wholesale_price', 'combination']],
  ['tester.group.discounts', ['volume_discount', 'coupon']],
  ['tester.group.taxes', ['tax_rate']],
] as const satisfies readonly (readonly [string, readonly Explained['kind'][]])[];

export function ExplanationList({ answer }: { answer: Answer }) {
  const translate = useTranslate();
  const { price } = answer;
  const explanation = price.explanation ?? [];
  return (
    <Box component="section" aria-label={translate('tester.why')}>
      <Typography variant="h6" component="h2" sx={{ mt: 2 }}>
        {translate('tester.why')}
      </Typography>
      {GROUPS.map(([title, kinds]) => (
        <Group
          key={title}
          title={title}
          entries={explanation.filter(({ kind }) => (kinds as readonly string[]).includes(kind))}
          answer={answer}
        />
      ))}
    </Box>
  );
}

/** Rules that are shown before someone asks for all. */
const SHOWN_MAX = 8;

interface GroupProps {
  /** Message key. */
  readonly title: string;
  readonly entries: readonly Explained[];
  readonly answer: Answer;
}

function Group({ title, entries, answer }: GroupProps) {
  const [isWhole, setWhole] = useState(false);
  const translate = useTranslate();
  const text = useExplanationText(answer);
  const sorted = [...entries].sort((one, other) => Number(other.won) - Number(one.won));
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN_MAX);
  return (
    <>
      <Typography variant="subtitle2" component="h3" sx={{ mt: 1.5 }}>
        {translate(title)}
      </Typography>
      {entries.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {translate('tester.noRules')}
        </Typography>
      )}
      <Box component="ul" aria-label={translate(title)} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {shown.map((entry, index) => (
          <Box
            component="li"
            // biome-ignore lint/suspicious/noArrayIndexKey: several combinations have the id of the same row
            key={`${entry.kind}-${entry.id}-${index}`}
            sx={{ display: 'flex', gap: 1, py: 0.5, alignItems: 'flex-start' }}
          >
            {entry.won ? (
              <AppliesIcon fontSize="small" color="success" aria-hidden />
            ) : (
              <NotUsedIcon fontSize="small" color="disabled" aria-hidden />
            )}
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere', fontWeight: entry.won ? 600 : 400 }}>
              <Link to={text.screen(entry)} underline="always">
                {text.subject(entry)}
              </Link>{' '}
              – {text.reason(entry)}
            </Typography>
          </Box>
        ))}
      </Box>
      {sorted.length > shown.length && (
        <Button size="small" onClick={() => setWhole(true)}>
          {translate('tester.showAll', { smart_count: sorted.length })}
        </Button>
      )}
    </>
  );
}
