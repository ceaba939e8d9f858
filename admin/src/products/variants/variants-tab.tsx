/** The variants of a product: made from attributes and options, and edited in a grid. */
import { Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProductOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { readAll } from '../../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { useMayWrite } from '../../utils/use-may.tsx';
import { isChoice, readChoiceValues, readProductAttributes } from '../attribute-values.ts';
import type { TabProps } from '../types.ts';
import { VariantBuilder } from './variant-builder.tsx';
import { VariantGrid } from './variant-grid.tsx';
import { type TypedAttribute, valueKeys } from './variant-plan.ts';

export function VariantsTab({ loaded, onChanged }: TabProps) {
  const { product } = loaded;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const yesNo = [translate('state.yes'), translate('state.no')] as const;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['variants', product.id],
    queryFn: () => readVariants(product, yesNo),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;

  async function reload(): Promise<void> {
    await refetch();
    await onChanged();
  }

  return (
    <Stack spacing={3}>
      {mayWrite && (
        <VariantBuilder
          // Starts again if there are other variants, attributes or options than before.
          key={JSON.stringify([data.variants.length, data.attributes.map(({ options }) => options)])}
          product={product}
          variants={data.variants}
          initial={data.attributes}
          onDone={reload}
        />
      )}
      {data.variants.length > 0 && (
        <VariantGrid product={product} variants={data.variants} names={data.names} onDone={reload} />
      )}
    </Stack>
  );
}

/** Reads the variants, the name of each value, and the attributes that variants differ in or can differ in. */
async function readVariants(product: ProductOutput, yesNo: readonly [string, string]) {
  const [variants, attributes] = await Promise.all([
    readAll('/products/{product_id}/variants', { product_id: product.id }),
    readProductAttributes(product),
  ]);
  const used = new Set(variants.flatMap(valueKeys));
  const names = new Map<string, string>();
  const typed: TypedAttribute[] = [];
  for (const attribute of attributes) {
    const { kind } = attribute;
    if (!isChoice(kind)) continue;
    const values = await readChoiceValues(product.id, attribute, kind, yesNo);
    const options = values.map(({ id, label }) => ({ label, value: `${kind}:${id}` }));
    for (const { label, value } of options) names.set(value, label);
    const isUsed = options.some(({ value }) => used.has(value));
    if (variants.length === 0 ? options.length > 1 : isUsed)
      typed.push({ key: `${attribute.id}`, name: attribute.name, kind, options, rest: '' });
  }
  return { variants, names, attributes: typed };
}
