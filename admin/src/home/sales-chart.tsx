/** Orders, their value or their units per day as a bar chart, compared with as many days before, and as a table for screen readers. */
import { Box, Card, Stack, ToggleButton, ToggleButtonGroup, Typography } from '@mui/material';
import type { Statistics } from 'purveyor/client';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import { VISUALLY_HIDDEN } from '../utils/visually-hidden.ts';
import { PERIODS, type Period } from './queries.ts';

/** Loaded when the browser has nothing else to do, because the figures are usable without it. */
const BarChart = lazy(async () => {
  await new Promise((done) => ('requestIdleCallback' in window ? requestIdleCallback(done) : setTimeout(done)));
  return import('./bar-chart.tsx');
});

const METRICS = ['revenue', 'orders', 'units'] as const;
type Metric = (typeof METRICS)[number];

const CHART_HEIGHT = 220;

interface Sales {
  readonly orders: number;
  readonly units: number;
  readonly totals: readonly { readonly currency: string; readonly total: number }[];
}

interface Props {
  readonly statistics: Statistics;
  readonly period: Period;
  onPeriod(period: Period): void;
}

export function SalesChart({ statistics: { days, previous }, period, onPeriod }: Props) {
  const [metric, setMetric] = useState<Metric>('revenue');
  const translate = useTranslate();
  const format = useFormat();
  const currency = previous.totals[0]?.currency ?? '';
  const figureOf = ({ orders, units, totals }: Sales): number =>
    metric === 'revenue'
      ? (totals.find((one) => one.currency === currency)?.total ?? 0)
      : metric === 'orders'
        ? orders
        : units;
  const write = (value: number): string =>
    metric === 'revenue' ? format.money(value, currency) : format.number(value);
  const values = days.map(figureOf);
  const sum = values.reduce((total, value) => total + value, 0);
  const labels = days.map(({ date }) => format.date(date));
  return (
    <Card variant="outlined" component="section" aria-label={translate('home.sales')} sx={{ p: 2 }}>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', justifyContent: 'space-between' }}>
        <Typography variant="h6" component="h2">
          {translate('home.sales')}
        </Typography>
        <Choice
          label={translate('home.period')}
          values={PERIODS}
          chosen={period}
          nameOf={(days) => translate('home.days', { smart_count: days })}
          onChoose={onPeriod}
        />
      </Stack>
      <Choice
        label={translate('home.metric')}
        values={METRICS}
        chosen={metric}
        nameOf={(name) => translate(`home.metric.${name}`)}
        onChoose={(name) => setMetric(name)}
      />
      <Typography variant="h4" component="p" sx={{ mt: 1, fontVariantNumeric: 'tabular-nums' }}>
        {write(sum)}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {translate(metric === 'revenue' ? 'home.countedValue' : 'home.counted')}
      </Typography>
      <Comparison now={sum} before={figureOf(previous)} write={write} days={period} />
      <Box aria-hidden sx={{ height: CHART_HEIGHT, mt: 1, position: 'relative' }}>
        <Suspense>
          <BarChart labels={labels} values={values} write={write} />
        </Suspense>
      </Box>
      <Table labels={labels} values={values.map(write)} caption={translate(`home.metric.${metric}`)} />
    </Card>
  );
}

interface ComparisonProps {
  readonly now: number;
  readonly before: number;
  readonly days: number;
  write(value: number): string;
}

function Comparison({ now, before, days, write }: ComparisonProps) {
  const translate = useTranslate();
  const format = useFormat();
  const percent = before === 0 ? undefined : Math.round(((now - before) / before) * 100);
  const color = percent === undefined || percent === 0 ? 'textSecondary' : percent > 0 ? 'success' : 'error';
  const sign = percent !== undefined && percent > 0 ? '+' : '';
  return (
    <Typography variant="body2" color={color}>
      {percent !== undefined && `${sign}${format.number(percent)} % · `}
      {translate('home.before', { value: write(before), days })}
    </Typography>
  );
}

interface ChoiceProps<T extends string | number> {
  readonly label: string;
  readonly values: readonly T[];
  readonly chosen: T;
  nameOf(value: T): string;
  onChoose(value: T): void;
}

function Choice<T extends string | number>({ label, values, chosen, nameOf, onChoose }: ChoiceProps<T>) {
  return (
    <ToggleButtonGroup
      size="small"
      exclusive
      value={chosen}
      onChange={(_event, value: T | null) => value !== null && onChoose(value)}
      aria-label={label}
    >
      {values.map((value) => (
        <ToggleButton key={value} value={value} sx={{ py: 0.25 }}>
          {nameOf(value)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

function Table({ labels, values, caption }: { labels: readonly string[]; values: readonly string[]; caption: string }) {
  return (
    // A table grows beyond its height; its parent does not.
    <Box sx={VISUALLY_HIDDEN}>
      <table>
        <caption>{caption}</caption>
        <tbody>
          {labels.map((label, at) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{values[at]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
