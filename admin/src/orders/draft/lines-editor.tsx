/** The lines of an order that is being written: products found by a search, variants, options, quantities and prices. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Autocomplete, Box, IconButton, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFormat } from '../../utils/format.ts';
import { useAction } from '../../utils/use-action.ts';
import { type DraftLine, findProducts, lineFor } from './draft.ts';
import type { QuotedLine } from './quoted.ts';

interface Props {
  readonly lines: readonly DraftLine[];
  onChange(lines: readonly DraftLine[]): void;
  /** The line as the store would save it. */
  quoted(line: DraftLine): QuotedLine | undefined;
  readonly currency: string | undefined;
}

export function LinesEditor({ lines, onChange, quoted, currency }: Props) {
  // A product is read before it is added; the lines may have changed meanwhile.
  const current = useRef(lines);
  current.current = lines;
  return (
    <Box>
      <AddProduct onAdd={(line) => onChange([...current.current, line])} currency={currency} />
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {lines.map((line) => (
          <Line
            key={line.key}
            line={line}
            quoted={quoted(line)}
            currency={currency}
            onChange={(changed) => onChange(lines.map((one) => (one.key === line.key ? changed : one)))}
            onRemove={line.item ? undefined : () => onChange(lines.filter(({ key }) => key !== line.key))}
          />
        ))}
      </Box>
    </Box>
  );
}

function AddProduct({ onAdd, currency }: { onAdd(line: DraftLine): void; currency: string | undefined }) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction(null);
  const { data = [], isFetching } = useQuery({
    queryKey: ['products-to-add', typed.trim()],
    queryFn: () => findProducts(typed.trim()),
    placeholderData: (before) => before,
  });
  return (
    <Autocomplete
      options={data}
      value={null}
      inputValue={typed}
      loading={isFetching}
      loadingText={translate('state.loading')}
      noOptionsText={translate('list.noMatch')}
      filterOptions={(options) => options}
      getOptionKey={({ id, variant }) => `${id}-${variant ?? ''}`}
      getOptionLabel={({ name, sku, price }) => `${name} · ${sku} · ${format.money(price, currency)}`}
      onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
      onChange={(_event, product) => product && void action.run(async () => onAdd(await lineFor(product)))}
      blurOnSelect
      renderInput={(input) => (
        <TextField {...input} label={translate('orders.addProduct')} helperText={translate('orders.addProductHelp')} />
      )}
    />
  );
}

interface LineProps {
  readonly line: DraftLine;
  readonly quoted: QuotedLine | undefined;
  readonly currency: string | undefined;
  onChange(line: DraftLine): void;
  readonly onRemove: (() => void) | undefined;
}

function Line({ line, quoted, currency, onChange, onRemove }: LineProps) {
  const translate = useTranslate();
  const format = useFormat();
  const { name } = line;
  return (
    <Box component="li" sx={{ py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'flex-start', gap: 1 }}>
        <Box sx={{ minWidth: 0 }}>
          <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Typography>
          <Typography variant="body2" color="textSecondary">
            {[quoted?.sku ?? line.sku, ...(line.item?.options ?? []).map(({ value }) => value)].join(' · ')}
          </Typography>
        </Box>
        {onRemove && (
          <IconButton size="small" onClick={onRemove} aria-label={`${translate('button.remove')}: ${name}`}>
            <DeleteIcon fontSize="small" />
          </IconButton>
        )}
      </Stack>
      <Choices line={line} onChange={onChange} />
      <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap', mt: 1 }}>
        <TextField
          value={line.amount}
          onChange={({ target }) => onChange({ ...line, amount: target.value })}
          onFocus={({ target }) => target.select()}
          label={translate('field.quantity')}
          fullWidth={false}
          slotProps={{ htmlInput: { inputMode: 'numeric', 'aria-label': translate('orders.quantityOf', { name }) } }}
          sx={{ width: { xs: 84, sm: 110 } }}
        />
        <TextField
          value={line.price}
          onChange={({ target }) => onChange({ ...line, price: target.value })}
          onFocus={({ target }) => target.select()}
          label={translate('field.price')}
          placeholder={quoted ? format.money(quoted.price) : ''}
          fullWidth={false}
          slotProps={{
            inputLabel: { shrink: true },
            htmlInput: { inputMode: 'decimal', 'aria-label': translate('products.cell.price', { name }) },
          }}
          sx={{ width: { xs: 112, sm: 140 } }}
        />
        {quoted?.regular_price !== undefined && quoted.regular_price > quoted.price && (
          <Typography variant="body2" color="textSecondary">
            {translate('orders.insteadOf', { price: format.money(quoted.regular_price, currency) })}
          </Typography>
        )}
        <Typography sx={{ ml: 'auto', fontVariantNumeric: 'tabular-nums' }}>
          {quoted && format.money(quoted.discounted_subtotal, currency)}
        </Typography>
      </Stack>
    </Box>
  );
}

function Choices({ line, onChange }: Pick<LineProps, 'line' | 'onChange'>) {
  const translate = useTranslate();
  const { variants, choices } = line;
  if (variants.length === 0 && choices.length === 0) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))' }}>
      {variants.length > 0 && (
        <TextField
          select
          label={translate('field.variant')}
          value={line.variant ?? ''}
          onChange={({ target }) => onChange({ ...line, variant: Number(target.value) })}
          error={line.variant === null}
          helperText={line.variant === null ? translate('orders.chooseVariant') : undefined}
        >
          {variants.map(({ id, label }) => (
            <MenuItem key={id} value={id}>
              {label}
            </MenuItem>
          ))}
        </TextField>
      )}
      {choices.map((choice) => (
        <TextField
          key={choice.attribute_id}
          select={choice.values.length > 0}
          label={choice.name}
          value={choice.chosen}
          onChange={({ target }) =>
            onChange({
              ...line,
              choices: choices.map((one) => (one === choice ? { ...one, chosen: target.value } : one)),
            })
          }
        >
          {choice.values.length > 0 && <MenuItem value="">{translate('orders.defaultChoice')}</MenuItem>}
          {choice.values.map(({ id, label }) => (
            <MenuItem key={id} value={`${id}`}>
              {label}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </Box>
  );
}
