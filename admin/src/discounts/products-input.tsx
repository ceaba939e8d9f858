/** Chooses between all products and a list of products, which are shown by name. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import {
  Alert,
  Box,
  Button,
  FormControl,
  FormControlLabel,
  FormHelperText,
  FormLabel,
  IconButton,
  List,
  ListItem,
  ListItemText,
  Radio,
  RadioGroup,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useInput, useTranslate } from 'react-admin';
import { ProductInput } from '../categories/product-input.tsx';
import { readProducts } from '../products/product-links.tsx';
import { useMayWrite } from '../utils/use-may.tsx';

/** A discount can have thousands of products: more are shown on request. */
const SHOWN = 20;

export function ProductsInput() {
  const { field } = useInput<boolean>({ source: 'specific_products' });
  const list = useInput<readonly number[]>({ source: 'products' });
  const translate = useTranslate();
  const ids: readonly number[] = list.field.value ?? [];
  const problem = list.fieldState.error?.message;
  return (
    <Box sx={{ gridColumn: '1 / -1' }}>
      <FormControl>
        <FormLabel id="which-products">{translate('discounts.field.products')}</FormLabel>
        <RadioGroup
          row
          aria-labelledby="which-products"
          value={field.value === true ? 'some' : 'all'}
          onChange={(_event, which) => field.onChange(which === 'some')}
        >
          {(['all', 'some'] as const).map((which) => (
            <FormControlLabel
              key={which}
              value={which}
              control={<Radio size="small" />}
              label={translate(`discounts.products.${which}`)}
            />
          ))}
        </RadioGroup>
      </FormControl>
      {field.value === true && <ChosenProducts ids={ids} onChange={(chosen) => list.field.onChange(chosen)} />}
      {field.value !== true && ids.length > 0 && (
        <FormHelperText>{translate('discounts.productsUnused', { smart_count: ids.length })}</FormHelperText>
      )}
      {problem !== undefined && (
        <FormHelperText error role="alert">
          {problem}
        </FormHelperText>
      )}
    </Box>
  );
}

interface ChosenProps {
  readonly ids: readonly number[];
  onChange(ids: readonly number[]): void;
}

function ChosenProducts({ ids, onChange }: ChosenProps) {
  const [count, setCount] = useState(SHOWN);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  // The product that was added last is the first.
  const shown = ids.toReversed().slice(0, count);
  const { data } = useQuery({
    queryKey: ['discounted-products', shown],
    queryFn: () => readProducts(shown),
    placeholderData: (before) => before,
  });
  const nameOf = (id: number): string => data?.get(id)?.name ?? `${id}`;
  return (
    // Enter without a chosen product would submit the form.
    <Box sx={{ maxWidth: 640 }} onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
      {mayWrite && <ProductInput excluded={ids} onAdd={(id) => onChange([...ids, id])} />}
      {ids.length === 0 && <Alert severity="warning">{translate('discounts.noProducts')}</Alert>}
      <List dense aria-label={translate('discounts.products.some')}>
        {shown.map((id) => (
          <ListItem
            key={id}
            divider
            disableGutters
            secondaryAction={
              mayWrite && (
                <IconButton
                  edge="end"
                  size="small"
                  onClick={() => onChange(ids.filter((one) => one !== id))}
                  aria-label={`${translate('button.remove')}: ${nameOf(id)}`}
                >
                  <DeleteIcon fontSize="small" />
                </IconButton>
              )
            }
          >
            <ListItemText
              primary={<Link to={`/products/${id}`}>{nameOf(id)}</Link>}
              secondary={data?.get(id)?.sku}
              sx={{ overflowWrap: 'anywhere' }}
            />
          </ListItem>
        ))}
      </List>
      {ids.length > count && (
        <Button onClick={() => setCount(count * 5)}>
          {translate('discounts.moreProducts', { smart_count: ids.length - count })}
        </Button>
      )}
    </Box>
  );
}
