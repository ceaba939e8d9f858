/** Revenue per day as a bar chart, and as a list for screen readers. */
import { Box, Card, Typography, useTheme } from '@mui/material';
import type { StatisticsSold } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';

const HEIGHT = 160;
const STEP = 20;

export function RevenueChart({ days }: { days: readonly StatisticsSold[] }) {
  const translate = useTranslate();
  const format = useFormat();
  const { palette } = useTheme();
  const currency = days.at(-1)?.totals[0]?.currency ?? '';
  const values = days.map(({ totals }) => totals.find((one) => one.currency === currency)?.total ?? 0);
  const top = Math.max(...values);
  const describe = (at: number): string => `${format.date(days[at]!.date)}: ${format.money(values[at]!, currency)}`;
  return (
    <Card variant="outlined" component="section" aria-label={translate('home.revenue')} sx={{ p: 2 }}>
      <Typography variant="h6" component="h2">
        {translate('home.revenue')}
      </Typography>
      <Typography variant="body2" color="textSecondary" gutterBottom>
        {translate('home.revenueHelp', { currency })}
      </Typography>
      <Box aria-hidden>
        <Typography variant="body2" color="textSecondary">
          {top > 0 && format.money(top, currency)}
        </Typography>
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          width="100%"
          height={HEIGHT}
          role="presentation"
        >
          {values.map((value, at) => {
            const height = top === 0 ? 0 : Math.max(value > 0 ? 2 : 0, (value / top) * (HEIGHT - 2));
            return (
              <rect
                key={days[at]!.date}
                x={at * STEP + 2}
                width={STEP - 4}
                y={HEIGHT - height}
                height={height}
                fill={palette.primary.main}
              >
                <title>{describe(at)}</title>
              </rect>
            );
          })}
          <line x1={0} x2={days.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke={palette.divider} />
        </svg>
        <Box sx={{ display: 'flex', justifyContent: 'space-between' }}>
          {[0, days.length - 1].map((at) => (
            <Typography key={at} variant="body2" color="textSecondary">
              {format.date(days[at]?.date ?? null)}
            </Typography>
          ))}
        </Box>
      </Box>
      <Box
        component="ul"
        sx={{
          position: 'absolute',
          width: '1px',
          height: '1px',
          overflow: 'hidden',
          clipPath: 'inset(50%)',
          m: 0,
          p: 0,
        }}
      >
        {days.map(({ date }, at) => (values[at] === 0 ? null : <li key={date}>{describe(at)}</li>))}
      </Box>
    </Card>
  );
}
