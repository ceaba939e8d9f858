import { Chip } from '@mui/material';

export function StatusChip({ status }: { status: { name: string } | null }) {
  return status && <Chip size="small" variant="outlined" label={status.name} />;
}
