/** The orders that no rate of a shipping method applies to, in sentences. */
import { Alert, Box, Stack, Typography } from '@mui/material';
import type { ShippingMethodCoverageOutput, ShippingRateOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useRangeTexts } from './range-text.ts';
import { useZones } from './zones.ts';

/** Sentences for each zone. The rest is counted. */
const HOLES_MAX = 8;

interface Props {
  readonly rates: readonly ShippingRateOutput[];
  readonly coverage: readonly ShippingMethodCoverageOutput[];
}

export function Coverage({ rates, coverage }: Props) {
  const translate = useTranslate();
  return (
    <Stack spacing={1}>
      {coverage.map((zone) => (
        <ZoneCoverage key={zone.zone_id} zone={zone} rates={rates.filter(({ zone_id }) => zone_id === zone.zone_id)} />
      ))}
      <Typography variant="body2" color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('shipping.coverageHelp')}
      </Typography>
    </Stack>
  );
}

interface ZoneProps {
  readonly zone: ShippingMethodCoverageOutput;
  readonly rates: readonly ShippingRateOutput[];
}

function ZoneCoverage({ zone: { zone_id, complete, holes }, rates }: ZoneProps) {
  const translate = useTranslate();
  const texts = useRangeTexts();
  const zone = useZones().nameOf(zone_id);
  if (complete && holes.length === 0)
    return <Alert severity="success">{translate('shipping.covered', { zone })}</Alert>;
  const more = holes.length - HOLES_MAX;
  const sentences = [
    ...holes.slice(0, HOLES_MAX).map((hole) => translate('shipping.hole', { zone, ranges: texts.hole(hole, rates) })),
    ...(more > 0 ? [translate('removal.andMore', { smart_count: more })] : []),
    ...(complete ? [] : [translate('shipping.incomplete', { zone })]),
  ];
  return (
    <Alert severity="warning">
      {sentences.length === 1 ? (
        sentences[0]
      ) : (
        <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </Box>
      )}
    </Alert>
  );
}
