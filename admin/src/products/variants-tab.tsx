/** The variants of a product. Only visible rows are rendered: a product can have a thousand. */
import { Alert, Box, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { NumberCell } from '../forms/number-cell.tsx';
import { TextCell } from '../forms/text-cell.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may-write.ts';
import {
  type ChoiceKind,
  type ChoiceValue,
  isChoice,
  readChoiceValues,
  readProductAttributes,
} from './attribute-values.ts';
import { missingCombinations } from './combinations.ts';
import type { TabProps } from './types.ts';

/** An attribute that variants can differ in, with the product's values of it. */
interface VariantAttribute {
  readonly kind: ChoiceKind;
  readonly values: readonly ChoiceValue[];
}

const COLLECTION_PATH = '/products/{product_id}/variants';
const PATH = `${COLLECTION_PATH}/{id}` as const;
const ROW_HEIGHT = 48;

export function VariantsTab({ loaded, onChanged }: TabProps) {
  const { product } = loaded;
  const translate = useTranslate();
  const yesNo = [translate('state.yes'), translate('state.no')] as const;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['variants', product.id],
    queryFn: async () => {
      const [variants, attributes] = await Promise.all([
        readAll(COLLECTION_PATH, { product_id: product.id }),
        readVariantAttributes(product, yesNo),
      ]);
      return { variants, attributes };
    },
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;

  async function reload(): Promise<void> {
    await refetch();
    await onChanged();
  }

  return (
    <Stack spacing={2}>
      <CreateVariants product={product} {...data} onDone={reload} />
      {data.variants.length > 0 && <Rows product={product} {...data} onDone={reload} />}
    </Stack>
  );
}

async function readVariantAttributes(
  product: ProductOutput,
  yesNo: readonly [string, string],
): Promise<VariantAttribute[]> {
  const attributes = await readProductAttributes(product);
  const read = attributes.map(async (attribute) => {
    const { kind } = attribute;
    return isChoice(kind) ? [{ kind, values: await readChoiceValues(product.id, attribute, kind, yesNo) }] : [];
  });
  return (await Promise.all(read)).flat().filter(({ values }) => values.length > 0);
}

interface Props {
  readonly product: ProductOutput;
  readonly variants: readonly VariantOutput[];
  readonly attributes: readonly VariantAttribute[];
  onDone(): Promise<void>;
}

/** Returns a key for each value of a variant. Checkbox and select values have separate ids. */
const valueKeys = (variant: Pick<VariantOutput, 'attribute_checkbox_values' | 'attribute_select_values'>): string[] => [
  ...variant.attribute_checkbox_values.map((id) => `checkbox:${id}`),
  ...variant.attribute_select_values.map((id) => `select:${id}`),
];

function CreateVariants({ product, variants, attributes, onDone }: Props) {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const mayWrite = useMayWrite();
  /** Variants created so far; undefined if none are being created. */
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const axes = attributes.map(({ kind, values }) => values.map(({ id }) => `${kind}:${id}`));
  const { missing, isTooMany } = missingCombinations(axes, variants.map(valueKeys));

  async function create(): Promise<void> {
    setProblem(undefined);
    setDone(0);
    try {
      for (const [at, keys] of missing.entries()) {
        const idsOf = (kind: string) =>
          keys.filter((key) => key.startsWith(kind)).map((key) => Number(key.split(':')[1]));
        await store.post(
          COLLECTION_PATH,
          { product_id: product.id },
          { attribute_checkbox_values: idsOf('checkbox:'), attribute_select_values: idsOf('select:') },
        );
        setDone(at + 1);
      }
    } catch (error) {
      setProblem(errorMessage(error));
    }
    setDone(undefined);
    await onDone();
  }

  if (variants.length === 0 && missing.length === 0)
    return <Typography color="textSecondary">{translate('products.noVariants')}</Typography>;
  return (
    <Stack spacing={1}>
      {mayWrite && missing.length > 0 && (
        <Box>
          <Button variant="outlined" onClick={() => void create()} disabled={done !== undefined}>
            {translate('products.createVariants', { smart_count: missing.length })}
          </Button>
        </Box>
      )}
      {isTooMany && <Alert severity="info">{translate('products.tooManyVariants')}</Alert>}
      {done !== undefined && (
        <LinearProgress
          variant="determinate"
          value={(done / missing.length) * 100}
          aria-label={translate('products.createVariants', { smart_count: missing.length })}
        />
      )}
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
    </Stack>
  );
}

function Rows({ product, variants, attributes, onDone }: Props) {
  const translate = useTranslate();
  const scrollBox = useRef<HTMLDivElement>(null);
  const labels = new Map(
    attributes.flatMap(({ kind, values }) => values.map(({ id, label }) => [`${kind}:${id}`, label])),
  );
  const rows = useVirtualizer({
    count: variants.length,
    getScrollElement: () => scrollBox.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  return (
    <Box>
      <Typography variant="body2" color="textSecondary" role="status">
        {translate('products.variantCount', { smart_count: variants.length })}
      </Typography>
      <Box sx={{ overflowX: 'auto', position: 'relative' }}>
        <Box
          role="table"
          aria-rowcount={variants.length + 1}
          aria-label={translate('products.tab.variants')}
          sx={{ minWidth: 620 }}
        >
          <Box role="rowgroup">
            <Box role="row" aria-rowindex={1} sx={{ ...ROW, fontWeight: 600, borderBottom: 2, borderColor: 'divider' }}>
              {['variant', 'sku', 'price', 'amount', DELETE_COLUMN].map((name) => (
                <Box key={name} role="columnheader">
                  {name === DELETE_COLUMN ? (
                    <Box component="span" sx={HIDDEN}>
                      {translate('button.delete')}
                    </Box>
                  ) : (
                    translate(`field.${name}`)
                  )}
                </Box>
              ))}
            </Box>
          </Box>
          <Box
            ref={scrollBox}
            role="rowgroup"
            tabIndex={0}
            aria-label={translate('products.tab.variants')}
            sx={{ height: Math.min(variants.length * ROW_HEIGHT, 520), overflowY: 'auto' }}
          >
            <Box role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
              {rows.getVirtualItems().map(({ index, start }) => {
                const variant = variants[index]!;
                const name = valueKeys(variant)
                  .map((key) => labels.get(key) ?? key)
                  .join(' · ');
                return (
                  <Box
                    key={variant.id}
                    role="row"
                    aria-rowindex={index + 2}
                    style={{ transform: `translateY(${start}px)` }}
                    sx={{
                      ...ROW,
                      position: 'absolute',
                      top: 0,
                      left: 0,
                      right: 0,
                      height: ROW_HEIGHT,
                      borderBottom: 1,
                      borderColor: 'divider',
                    }}
                  >
                    <Row product={product} variant={variant} name={name} onDone={onDone} />
                  </Box>
                );
              })}
            </Box>
          </Box>
        </Box>
      </Box>
    </Box>
  );
}

function Row({
  product,
  variant,
  name,
  onDone,
}: {
  product: ProductOutput;
  variant: VariantOutput;
  name: string;
  onDone(): Promise<void>;
}) {
  const translate = useTranslate();
  const action = useAction();
  const parameters = { product_id: product.id, id: variant.id };
  const label = (field: string) => `${translate(`field.${field}`)}: ${name}`;
  return (
    <>
      <Box role="cell" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }} title={name}>
        {name}
      </Box>
      <Box role="cell">
        <TextCell
          path={PATH}
          parameters={parameters}
          field="sku"
          value={variant.sku ?? ''}
          label={label('sku')}
          onSaved={onDone}
        />
      </Box>
      <Box role="cell">
        <NumberCell
          path={PATH}
          parameters={parameters}
          field="price"
          value={variant.price}
          decimals={4}
          label={label('price')}
          isInherited={variant.default_price}
          onSaved={onDone}
        />
      </Box>
      <Box role="cell">
        <NumberCell
          path={PATH}
          parameters={parameters}
          field="amount"
          value={variant.amount}
          label={label('amount')}
          isInherited={variant.default_amount}
          onSaved={onDone}
        />
      </Box>
      <Box role="cell">
        <DeleteButton
          name={name}
          confirmation="products.deleteVariant"
          onConfirmed={async () => {
            await action.run(() => store.delete(PATH, parameters));
            await onDone();
          }}
        />
      </Box>
    </>
  );
}

const DELETE_COLUMN = 'delete';

const ROW = {
  display: 'grid',
  gridTemplateColumns: 'minmax(120px, 2fr) minmax(140px, 2fr) 130px 130px 44px',
  gap: 1,
  alignItems: 'center',
  px: 1,
} as const;

/** Visible only to screen readers. */
const HIDDEN = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;
