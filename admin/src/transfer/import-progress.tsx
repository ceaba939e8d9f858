/** The progress bar of an import; indeterminate until the first part is done. */
import { Box, LinearProgress, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import type { ProductImportTask } from './use-product-import.ts';

export function ImportProgressBar({ task: { progress, isDryRun } }: { task: ProductImportTask }) {
  const translate = useTranslate();
  const label = translate(isDryRun ? 'import.dryRunRunning' : 'import.running');
  const { done = 0, total = 1, name } = progress ?? {};
  return (
    <Box>
      <LinearProgress
        aria-label={label}
        {...(progress ? { variant: 'determinate', value: (done / total) * 100 } : {})}
      />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
        {label}
        {progress && ` · ${translate('import.progress', { done, total })}`}
        {name && ` · ${name}`}
      </Typography>
    </Box>
  );
}
