/** A product's values of its attributes. Changes are saved immediately. */
import { Card, Chip, Stack, Typography } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { AttributeValueInput, VALUES_QUERY } from './attribute-value-input.tsx';
import { useProductAttributes } from './attribute-values.ts';
import { MoreAttributes } from './more-attributes.tsx';
import type { TabProps } from './types.ts';

export function AttributesTab({ loaded, onChanged }: TabProps) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useProductAttributes(loaded.product);

  async function reload(): Promise<void> {
    await refetch();
    // The inputs of the values also show the options.
    await queries.invalidateQueries({ queryKey: VALUES_QUERY });
    await onChanged();
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return (
    <Stack spacing={2}>
      {data.length === 0 && <Typography color="textSecondary">{translate('products.noAttributes')}</Typography>}
      {data.map((attribute) => (
        <Card key={attribute.id} variant="outlined" component="section" aria-label={attribute.name} sx={{ p: 2 }}>
          <Stack direction="row" spacing={1} sx={{ alignItems: 'center', mb: 1 }}>
            <Typography variant="h6" component="h2">
              {attribute.name}
            </Typography>
            <Chip size="small" label={translate(`attributes.kind.${attribute.kind}`)} />
            <Chip size="small" variant="outlined" label={translate(`attributes.scope.${attribute.scope.name}`)} />
          </Stack>
          <AttributeValueInput product_id={loaded.product.id} attribute={attribute} onChanged={() => onChanged()} />
        </Card>
      ))}
      <MoreAttributes product={loaded.product} onDone={reload} />
    </Stack>
  );
}
