/** Attributes with their options as text, and a button that makes a variant of every combination that is missing. */
import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Alert, Box, Button, Chip, IconButton, LinearProgress, Stack, TextField, Typography } from '@mui/material';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { type KeyboardEvent, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { makeVariants } from './make-variants.ts';
import {
  defaultPattern,
  optionsOf,
  planVariants,
  SKU_LENGTH_MAX,
  splitOptions,
  type TypedAttribute,
  unknownPlaceholders,
  valueKeys,
  withOptions,
} from './variant-plan.ts';

interface Props {
  readonly product: ProductOutput;
  readonly variants: readonly VariantOutput[];
  /** The product's attributes that variants can differ in. */
  readonly initial: readonly TypedAttribute[];
  onDone(): Promise<void>;
}

let keys = 0;
function newAttribute(): TypedAttribute {
  keys += 1;
  return { key: `new-${keys}`, name: '', options: [], rest: '' };
}

export function VariantBuilder({ product, variants, initial, onDone }: Props) {
  const [attributes, setAttributes] = useState(() => (initial.length > 0 ? initial : [newAttribute()]));
  /** Undefined while the pattern follows the names of the attributes. */
  const [typedPattern, setTypedPattern] = useState<string>();
  const translate = useTranslate();
  const pattern = typedPattern ?? defaultPattern(attributes);
  const plan = planVariants(attributes, variants, pattern, product.sku);
  const usedValues = new Set(variants.flatMap(valueKeys));

  return (
    <Box component="section" aria-label={translate('variants.make')}>
      <Typography variant="h6" component="h2">
        {translate('variants.make')}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 1.5 }}>
        {translate('variants.help')}
      </Typography>
      {attributes.map((attribute, at) => (
        <AttributeRow
          key={attribute.key}
          number={at + 1}
          attribute={attribute}
          usedValues={usedValues}
          onChange={(changed) => setAttributes(attributes.map((one) => (one === attribute ? changed : one)))}
          onRemove={
            attribute.kind === undefined && attributes.length > 1
              ? () => setAttributes(attributes.filter((one) => one !== attribute))
              : undefined
          }
        />
      ))}
      {variants.length === 0 ? (
        <Button startIcon={<AddIcon />} onClick={() => setAttributes([...attributes, newAttribute()])}>
          {translate('variants.addAttribute')}
        </Button>
      ) : (
        <Typography variant="body2" color="textSecondary">
          {translate('variants.attributesFixed')}
        </Typography>
      )}
      <PatternField
        pattern={pattern}
        attributes={attributes}
        example={plan.variants[0]?.sku}
        onChange={setTypedPattern}
      />
      {plan.isTooMany && <Alert severity="info">{translate('products.tooManyVariants')}</Alert>}
      <MakeButton
        product={product}
        attributes={attributes}
        plan={plan}
        hasVariants={variants.length > 0}
        onDone={onDone}
      />
    </Box>
  );
}

function PatternField({
  pattern,
  attributes,
  example,
  onChange,
}: {
  pattern: string;
  attributes: readonly TypedAttribute[];
  example: string | undefined;
  onChange(pattern: string): void;
}) {
  const translate = useTranslate();
  const unknown = unknownPlaceholders(pattern, attributes);
  const help =
    unknown.length > 0
      ? translate('variants.unknownPlaceholder', { names: unknown.join(', ') })
      : example
        ? translate('variants.patternExample', { sku: example })
        : translate('variants.patternHelp');
  return (
    <TextField
      label={translate('variants.pattern')}
      value={pattern}
      onChange={({ target }) => onChange(target.value)}
      error={unknown.length > 0}
      helperText={help}
      sx={{ maxWidth: 480, display: 'block', mt: 2 }}
    />
  );
}

function MakeButton({
  product,
  attributes,
  plan: { variants, isTooMany },
  hasVariants,
  onDone,
}: Pick<Props, 'product' | 'onDone'> & {
  attributes: readonly TypedAttribute[];
  hasVariants: boolean;
  plan: ReturnType<typeof planVariants>;
}) {
  const [progress, setProgress] = useState<number>();
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const tooLong = variants.filter(({ sku }) => sku.length > SKU_LENGTH_MAX);
  const label = translate('variants.makeCount', { smart_count: variants.length });

  const showProblem = (problem: string): void => notify(problem, { type: 'error', autoHideDuration: 15_000 });

  async function make(): Promise<void> {
    setProgress(0);
    try {
      const result = await makeVariants(product, attributes, variants, (done, total) => setProgress(done / total));
      for (const problem of result.problems) showProblem(problem);
      if (result.made > 0) notify('variants.made', { type: 'success', messageArgs: { smart_count: result.made } });
    } catch (error) {
      showProblem(errorMessage(error));
    }
    setProgress(undefined);
    await onDone();
  }

  if (variants.length === 0 && progress === undefined)
    return isTooMany ? null : (
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate(hasVariants ? 'variants.allMade' : 'variants.typeOptions')}
      </Typography>
    );
  return (
    <Stack spacing={1} sx={{ mt: 1, alignItems: 'flex-start' }}>
      <Button
        variant="contained"
        onClick={() => void make()}
        loading={progress !== undefined}
        disabled={tooLong.length > 0}
      >
        {label}
      </Button>
      {progress !== undefined && (
        <LinearProgress variant="determinate" value={progress * 100} aria-label={label} sx={{ width: '100%' }} />
      )}
      {tooLong.length > 0 && (
        <Alert severity="warning">
          {translate('variants.skuTooLong', { max: SKU_LENGTH_MAX, sku: tooLong[0]!.sku })}
        </Alert>
      )}
    </Stack>
  );
}

interface AttributeRowProps {
  readonly number: number;
  readonly attribute: TypedAttribute;
  /** The values that variants have: they cannot be removed. */
  readonly usedValues: ReadonlySet<string>;
  onChange(attribute: TypedAttribute): void;
  readonly onRemove: (() => void) | undefined;
}

function AttributeRow({ number, attribute, usedValues, onChange, onRemove }: AttributeRowProps) {
  const translate = useTranslate();
  const { kind, name, options, rest } = attribute;
  const isFixed = kind === 'checkbox';

  function type(text: string): void {
    const { options: ended, rest } = splitOptions(text);
    onChange({ ...withOptions(attribute, ended), rest });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      // Enter must not submit the form around it.
      event.preventDefault();
      type(`${rest},`);
    }
    const last = options.at(-1);
    if (event.key === 'Backspace' && rest === '' && last && last.value === undefined)
      onChange({ ...attribute, options: options.slice(0, -1) });
  }

  return (
    <Stack
      direction={{ xs: 'column', sm: 'row' }}
      spacing={1}
      useFlexGap
      sx={{ alignItems: { sm: 'flex-start' }, mb: { xs: 2, sm: 0 } }}
    >
      <TextField
        label={translate('variants.attribute', { number })}
        value={name}
        onChange={({ target }) => onChange({ ...attribute, name: target.value })}
        placeholder={translate('attributes.newHelp')}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        slotProps={{ htmlInput: { readOnly: kind !== undefined } }}
        sx={{ maxWidth: { sm: 240 } }}
      />
      <Box sx={{ flex: 1, minWidth: 0, width: '100%' }}>
        <TextField
          label={translate('variants.optionsOf', { number })}
          value={rest}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => rest !== '' && type(`${rest},`)}
          placeholder="S, M, L"
          helperText={translate(isFixed ? 'variants.optionsFixed' : 'variants.optionsHelp')}
          disabled={isFixed}
        />
        <Stack direction="row" spacing={0.5} useFlexGap sx={{ flexWrap: 'wrap', mb: 1 }}>
          {optionsOf({ ...attribute, rest: '' }).map((option) => (
            <Chip
              key={option.label}
              label={option.label}
              size="small"
              {...(option.value !== undefined && usedValues.has(option.value)
                ? {}
                : { onDelete: () => onChange({ ...attribute, options: options.filter((one) => one !== option) }) })}
            />
          ))}
        </Stack>
      </Box>
      {onRemove && (
        <IconButton
          onClick={onRemove}
          aria-label={`${translate('button.remove')}: ${name || translate('variants.attribute', { number })}`}
          sx={{ mt: 1, alignSelf: { xs: 'flex-end', sm: 'flex-start' } }}
        >
          <DeleteIcon />
        </IconButton>
      )}
    </Stack>
  );
}
