/** The variants of a product: rows that exist only while they are in sight, so that a thousand stay smooth. */
import { Alert, Box, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { DeleteButton } from '../parts/delete-button.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { NumberCell } from '../parts/number-cell.tsx';
import { useSentence } from '../parts/sentence.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { TextCell } from '../parts/text-cell.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import { attributesOf, choicesOf, type Value } from './attributes.ts';
import { missingCombinations } from './combinations.ts';
import type { TabProps } from './edit.tsx';

interface Choosable {
  readonly name: string;
  readonly kind: 'select' | 'checkbox';
  readonly values: readonly Value[];
}

const PATH = '/products/{product_id}/variants/{id}';
const ROW_HEIGHT = 48;

export function VariantsTab({ loaded, onParts }: TabProps) {
  const { product } = loaded;
  const translate = useTranslate();
  const [yes, no] = [translate('state.yes'), translate('state.no')];
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['variants', product.id],
    queryFn: async () => {
      const [variants, choosable] = await Promise.all([variantsOf(product.id), choosableOf(product, yes, no)]);
      return { variants, choosable };
    },
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;

  async function renew(): Promise<void> {
    await refetch();
    await onParts();
  }

  return (
    <Stack spacing={2}>
      <MakeVariants product={product} {...data} onDone={renew} />
      {data.variants.length > 0 && <Rows product={product} {...data} onDone={renew} />}
    </Stack>
  );
}

async function variantsOf(product_id: number): Promise<VariantOutput[]> {
  const found: VariantOutput[] = [];
  for await (const one of store.list('/products/{product_id}/variants', { product_id })) found.push(one);
  return found;
}

async function choosableOf(product: ProductOutput, yes: string, no: string): Promise<Choosable[]> {
  const attributes = (await attributesOf(product)).filter(({ kind }) => kind === 'select' || kind === 'checkbox');
  const values = await Promise.all(attributes.map((one) => choicesOf(product.id, one, yes, no)));
  return attributes.flatMap(({ name, kind }, at) =>
    values[at]!.length === 0 ? [] : [{ name, kind: kind as Choosable['kind'], values: values[at]! }],
  );
}

interface Props {
  readonly product: ProductOutput;
  readonly variants: readonly VariantOutput[];
  readonly choosable: readonly Choosable[];
  onDone(): Promise<void>;
}

/** A key for a set of values: checkbox and select values are numbered apart. */
const keysOf = (variant: Pick<VariantOutput, 'attribute_checkbox_values' | 'attribute_select_values'>): string[] => [
  ...variant.attribute_checkbox_values.map((id) => `checkbox:${id}`),
  ...variant.attribute_select_values.map((id) => `select:${id}`),
];

function MakeVariants({ product, variants, choosable, onDone }: Props) {
  const translate = useTranslate();
  const sentence = useSentence();
  const mayWrite = useMayWrite();
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const axes = choosable.map(({ kind, values }) => values.map(({ id }) => `${kind}:${id}`));
  const { missing, isTooMany } = missingCombinations(axes, variants.map(keysOf));

  async function make(): Promise<void> {
    setProblem(undefined);
    setDone(0);
    try {
      for (const [at, keys] of missing.entries()) {
        const idsOf = (kind: string) =>
          keys.filter((key) => key.startsWith(kind)).map((key) => Number(key.split(':')[1]));
        await store.post(
          '/products/{product_id}/variants',
          { product_id: product.id },
          { attribute_checkbox_values: idsOf('checkbox:'), attribute_select_values: idsOf('select:') },
        );
        setDone(at + 1);
      }
    } catch (error) {
      setProblem(sentence(error));
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
          <Button variant="outlined" onClick={() => void make()} disabled={done !== undefined}>
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

function Rows({ product, variants, choosable, onDone }: Props) {
  const translate = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const labels = new Map(
    choosable.flatMap(({ kind, values }) => values.map(({ id, label }) => [`${kind}:${id}`, label])),
  );
  const rows = useVirtualizer({
    count: variants.length,
    getScrollElement: () => box.current,
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
              {['variant', 'sku', 'price', 'amount', 'nothing'].map((name) => (
                <Box key={name} role="columnheader">
                  {name === 'nothing' ? (
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
            ref={box}
            role="rowgroup"
            tabIndex={0}
            aria-label={translate('products.tab.variants')}
            sx={{ height: Math.min(variants.length * ROW_HEIGHT, 520), overflowY: 'auto' }}
          >
            <Box role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
              {rows.getVirtualItems().map(({ index, start }) => {
                const variant = variants[index]!;
                const name = keysOf(variant)
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
  const act = useAct();
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
          isMuted={variant.default_price}
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
          isMuted={variant.default_amount}
          onSaved={onDone}
        />
      </Box>
      <Box role="cell">
        <DeleteButton
          name={name}
          question="products.deleteVariant"
          onConfirmed={async () => {
            await act.run(() => store.delete(PATH, parameters));
            await onDone();
          }}
        />
      </Box>
    </>
  );
}

const ROW = {
  display: 'grid',
  gridTemplateColumns: 'minmax(120px, 2fr) minmax(140px, 2fr) 130px 130px 44px',
  gap: 1,
  alignItems: 'center',
  px: 1,
} as const;

const HIDDEN = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;
