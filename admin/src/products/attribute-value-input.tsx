/** Edits a product's values of one attribute, by the attribute's kind. */
import { Box, Checkbox, FormControlLabel, MenuItem, Stack, Switch, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { createRecord, deleteRecord, updateRecord } from '../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { NumberCell } from '../forms/number-cell.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import {
  type ChoiceKind,
  type ChoiceValue,
  choiceValuesPath,
  HIDDEN_VALUE_PATH,
  isChoice,
  type ProductAttribute,
  readChoiceValues,
  readHiddenValue,
  readOptions,
  readTextValue,
  TEXT_VALUE_PATH,
} from './attribute-values.ts';

/** The beginning of the query keys of this module. */
export const VALUES_QUERY = ['attribute-values'];

interface Props {
  readonly product_id: number;
  readonly attribute: ProductAttribute;
  onChanged(): Promise<void>;
}

export function AttributeValueInput(props: Props) {
  const { kind } = props.attribute;
  if (kind === 'text') return <TextValue {...props} />;
  return isChoice(kind) ? <ChoiceValues {...props} kind={kind} /> : <HiddenValue {...props} />;
}

function TextValue({ product_id, attribute, onChanged }: Props) {
  const translate = useTranslate();
  const action = useAction();
  const mayWrite = useMayWrite();
  const parameters = { product_id, attribute_id: attribute.id };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...VALUES_QUERY, TEXT_VALUE_PATH, parameters],
    queryFn: () => readTextValue(parameters),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={1} />;
  const value = data?.value ?? '';

  async function write(body: { value?: string; editable?: boolean }): Promise<void> {
    // An empty value still matters if customers can edit it.
    const isObsolete = body.value === '' && data?.editable !== true;
    await action.run(() => {
      if (data && isObsolete) return store.delete(TEXT_VALUE_PATH, parameters);
      return data ? store.patch(TEXT_VALUE_PATH, parameters, body) : store.post(TEXT_VALUE_PATH, parameters, body);
    });
    await refetch();
    await onChanged();
  }

  return (
    <>
      <TextField
        key={value}
        defaultValue={value}
        label={translate('products.value')}
        disabled={!mayWrite}
        multiline
        maxRows={8}
        onBlur={({ target }) => target.value !== value && void write({ value: target.value })}
      />
      <FormControlLabel
        control={<Switch checked={data?.editable === true} disabled={!mayWrite} />}
        label={translate('products.editable')}
        onChange={(_event, editable) => void write({ editable })}
      />
    </>
  );
}

function HiddenValue({ product_id, attribute, onChanged }: Props) {
  const translate = useTranslate();
  const action = useAction();
  const mayWrite = useMayWrite();
  const parameters = { product_id, attribute_id: attribute.id };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...VALUES_QUERY, HIDDEN_VALUE_PATH, parameters],
    queryFn: async () => ({ options: await readOptions(attribute), value: await readHiddenValue(parameters) }),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={1} />;
  const chosen = data.value?.option.id ?? '';

  async function choose(option_id: number | ''): Promise<void> {
    await action.run(() => {
      if (option_id === '') return store.delete(HIDDEN_VALUE_PATH, parameters);
      return chosen === ''
        ? store.post(HIDDEN_VALUE_PATH, parameters, { option_id })
        : store.patch(HIDDEN_VALUE_PATH, parameters, { option_id });
    });
    await refetch();
    await onChanged();
  }

  return (
    <TextField
      select
      label={translate('products.value')}
      value={chosen}
      disabled={!mayWrite}
      onChange={({ target }) => void choose(target.value as unknown as number | '')}
    >
      {chosen !== '' && <MenuItem value="">{translate('state.none')}</MenuItem>}
      {data.options.map(({ id, value }) => (
        <MenuItem key={id} value={id}>
          {value}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** An option, or yes or no, and the product's value for it. */
interface Choice {
  readonly label: string;
  readonly body: { readonly option_id: number } | { readonly value: boolean };
  readonly value: ChoiceValue | undefined;
}

function ChoiceValues({ product_id, attribute, kind, onChanged }: Props & { kind: ChoiceKind }) {
  const translate = useTranslate();
  const action = useAction();
  const mayWrite = useMayWrite();
  const path = choiceValuesPath(kind);
  const valuePath = `${path}/{id}` as const;
  const parameters = { product_id, attribute_id: attribute.id };
  const yesNo = [translate('state.yes'), translate('state.no')] as const;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...VALUES_QUERY, path, parameters],
    queryFn: async () => ({
      options: await readOptions(attribute),
      values: await readChoiceValues(product_id, attribute, kind, yesNo),
    }),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={2} />;
  const choices: readonly Choice[] =
    kind === 'select'
      ? data.options.map(({ id, value: label }) => ({
          label,
          body: { option_id: id },
          value: data.values.find(({ optionId }) => optionId === id),
        }))
      : [true, false].map((value) => ({
          label: value ? yesNo[0] : yesNo[1],
          body: { value },
          value: data.values.find(({ isYes }) => isYes === value),
        }));

  async function toggle({ body, value }: Choice): Promise<void> {
    await action.run(() =>
      value ? deleteRecord(valuePath, { ...parameters, id: value.id }) : createRecord(path, parameters, body),
    );
    await refetch();
    await onChanged();
  }

  if (choices.length === 0) return <Typography color="textSecondary">{translate('products.noOptions')}</Typography>;
  return (
    <Stack>
      {choices.map((choice) => (
        <Box key={choice.label} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
          <FormControlLabel
            sx={{ minWidth: 180 }}
            control={
              <Checkbox size="small" checked={choice.value !== undefined} disabled={!mayWrite || action.isBusy} />
            }
            label={choice.label}
            onChange={() => void toggle(choice)}
          />
          {choice.value && (
            <PriceModifier
              path={valuePath}
              parameters={{ ...parameters, id: choice.value.id }}
              value={choice.value}
              label={choice.label}
              onDone={async () => void (await refetch())}
            />
          )}
        </Box>
      ))}
    </Stack>
  );
}

interface PriceModifierProps {
  readonly path: `${ReturnType<typeof choiceValuesPath>}/{id}`;
  readonly parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
  readonly value: ChoiceValue;
  readonly label: string;
  onDone(): Promise<void>;
}

function PriceModifier({ path, parameters, value, label, onDone }: PriceModifierProps) {
  const translate = useTranslate();
  const action = useAction();
  const mayWrite = useMayWrite();
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
      <Typography variant="body2" color="textSecondary">
        {translate('products.modifier')}
      </Typography>
      <NumberCell
        path={path}
        parameters={parameters}
        field="price_modifier"
        value={value.price_modifier}
        decimals={4}
        label={`${translate('products.modifier')}: ${label}`}
        onSaved={onDone}
      />
      <TextField
        select
        margin="none"
        value={value.price_modifier_type}
        disabled={!mayWrite}
        sx={{ width: 110 }}
        slotProps={{ htmlInput: { 'aria-label': `${translate('products.modifierUnit')}: ${label}` } }}
        onChange={async ({ target }) => {
          const price_modifier_type = target.value as ChoiceValue['price_modifier_type'];
          await action.run(() => updateRecord(path, parameters, { price_modifier_type }));
          await onDone();
        }}
      >
        <MenuItem value="percent">%</MenuItem>
        <MenuItem value="absolute">{translate('products.absolute')}</MenuItem>
      </TextField>
    </Stack>
  );
}
