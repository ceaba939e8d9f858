/** Shipping costs, discounts, taxes and fees of an order that is being written. */
import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Box, Button, IconButton, MenuItem, Stack, TextField } from '@mui/material';
import { useTranslate } from 'react-admin';
import { type DraftSurcharge, nextKey } from './draft.ts';

const TYPES = ['shipping', 'discount', 'tax', 'handling'] as const;

/** The surcharges of an order that the store calculates. It rejects others. */
const CHARGES: readonly DraftSurcharge['type'][] = ['shipping', 'handling'];

export const chargesOf = (surcharges: readonly DraftSurcharge[]): readonly DraftSurcharge[] =>
  surcharges.filter(({ type }) => CHARGES.includes(type));

interface Props {
  readonly surcharges: readonly DraftSurcharge[];
  onChange(surcharges: readonly DraftSurcharge[]): void;
  /** The store calculates discounts and taxes. Rows of these types are not shown. */
  readonly isCalculated?: boolean;
}

export function SurchargesEditor({ surcharges, onChange, isCalculated = false }: Props) {
  const translate = useTranslate();
  const shown = isCalculated ? chargesOf(surcharges) : surcharges;
  const types = isCalculated ? CHARGES : TYPES;
  const change = (key: string, changed: Partial<DraftSurcharge>): void =>
    onChange(surcharges.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  return (
    <Box>
      {shown.map(({ key, type, name, value }, at) => {
        const label = (field: string) => `${translate(field)} ${at + 1}`;
        return (
          <Stack key={key} direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
            <TextField
              select
              label={translate('orders.surchargeType')}
              value={type}
              onChange={({ target }) => change(key, { type: target.value as DraftSurcharge['type'] })}
              fullWidth={false}
              sx={{ width: 140 }}
              slotProps={{ select: { SelectDisplayProps: { 'aria-label': label('orders.surchargeType') } } }}
            >
              {types.map((one) => (
                <MenuItem key={one} value={one}>
                  {translate(`orders.surcharge.${one}`)}
                </MenuItem>
              ))}
            </TextField>
            <TextField
              label={translate('orders.surchargeName')}
              value={name}
              onChange={({ target }) => change(key, { name: target.value })}
              placeholder={translate(`orders.surcharge.${type}`)}
              slotProps={{
                inputLabel: { shrink: true },
                htmlInput: { 'aria-label': label('orders.surchargeName') },
              }}
              sx={{ flex: '1 1 120px' }}
            />
            <TextField
              label={translate('orders.surchargeValue')}
              value={value}
              onChange={({ target }) => change(key, { value: target.value })}
              helperText={type === 'discount' ? translate('orders.discountHelp') : undefined}
              slotProps={{ htmlInput: { inputMode: 'decimal', 'aria-label': label('orders.surchargeValue') } }}
              fullWidth={false}
              sx={{ width: 120 }}
            />
            <IconButton
              size="small"
              onClick={() => onChange(surcharges.filter((one) => one.key !== key))}
              aria-label={`${translate('button.remove')}: ${label(`orders.surcharge.${type}`)}`}
            >
              <DeleteIcon fontSize="small" />
            </IconButton>
          </Stack>
        );
      })}
      <Button
        size="small"
        startIcon={<AddIcon />}
        onClick={() => onChange([...surcharges, { key: nextKey(), type: 'shipping', name: '', value: '', rest: {} }])}
      >
        {translate(isCalculated ? 'orders.addCharge' : 'orders.addSurcharge')}
      </Button>
    </Box>
  );
}
