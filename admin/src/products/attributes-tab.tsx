/** The values of a product's attributes. Done at once. */
import {
  Box,
  Card,
  Checkbox,
  Chip,
  FormControlLabel,
  MenuItem,
  Stack,
  Switch,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { NumberCell } from '../parts/number-cell.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { anyStore } from '../store/data-provider.ts';
import { type Attribute, choicesOf, optionsOf, singleOf, useAttributes, type Value, valuesPath } from './attributes.ts';
import type { TabProps } from './edit.tsx';
import { OwnAttributes } from './own-attributes.tsx';

/** Begins the keys of what is read of each attribute's values. */
const VALUES = ['values'];

interface RowProps {
  readonly product: number;
  readonly attribute: Attribute;
  onParts(): Promise<void>;
}

export function AttributesTab({ loaded, onParts }: TabProps) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useAttributes(loaded.product);

  async function renew(): Promise<void> {
    await refetch();
    // The options that can be chosen are read with the values.
    await queries.invalidateQueries({ queryKey: VALUES });
    await onParts();
  }

  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;
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
            <Chip size="small" variant="outlined" label={translate(`attributes.scope.${attribute.scope}`)} />
          </Stack>
          <AttributeValues product={loaded.product.id} attribute={attribute} onParts={() => onParts()} />
        </Card>
      ))}
      <OwnAttributes product={loaded.product} onDone={renew} />
    </Stack>
  );
}

function AttributeValues(props: RowProps) {
  if (props.attribute.kind === 'text') return <TextValue {...props} />;
  return props.attribute.kind === 'hidden' ? <HiddenValue {...props} /> : <Choices {...props} />;
}

function TextValue({ product, attribute, onParts }: RowProps) {
  const translate = useTranslate();
  const act = useAct();
  const mayWrite = useMayWrite();
  const path = valuesPath(product, attribute);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...VALUES, path],
    queryFn: () => singleOf(product, attribute),
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={1} />;
  const value = (data?.value as string | undefined) ?? '';

  async function write(body: { value?: string; editable?: boolean }): Promise<void> {
    const isEmptied = body.value === '' && data?.editable !== true;
    await act.run(() => {
      if (data && isEmptied) return anyStore().delete(path);
      return data ? anyStore().patch(path, body) : anyStore().post(path, body);
    });
    await refetch();
    await onParts();
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

function HiddenValue({ product, attribute, onParts }: RowProps) {
  const translate = useTranslate();
  const act = useAct();
  const mayWrite = useMayWrite();
  const path = valuesPath(product, attribute);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...VALUES, path],
    queryFn: async () => ({ options: await optionsOf(attribute), value: await singleOf(product, attribute) }),
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={1} />;
  const chosen = (data.value?.option as { id: number } | undefined)?.id ?? '';

  async function choose(option_id: number | ''): Promise<void> {
    await act.run(() => {
      if (option_id === '') return anyStore().delete(path);
      return chosen === '' ? anyStore().post(path, { option_id }) : anyStore().patch(path, { option_id });
    });
    await refetch();
    await onParts();
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

/** Something that can be chosen, and the value that the product has of it. */
interface Choice {
  readonly label: string;
  readonly body: object;
  readonly value: Value | undefined;
}

function Choices({ product, attribute, onParts }: RowProps) {
  const translate = useTranslate();
  const act = useAct();
  const mayWrite = useMayWrite();
  const path = valuesPath(product, attribute);
  const [yes, no] = [translate('state.yes'), translate('state.no')];
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...VALUES, path],
    queryFn: async () => {
      const options = attribute.kind === 'select' ? await optionsOf(attribute) : [];
      return { options, values: await choicesOf(product, attribute, yes, no) };
    },
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={2} />;
  const { options, values } = data;
  const choices: Choice[] =
    attribute.kind === 'select'
      ? options.map(({ id, value }) => ({
          label: value,
          body: { option_id: id },
          value: values.find((one) => one.option_id === id),
        }))
      : [true, false].map((value) => ({
          label: value ? yes : no,
          body: { value },
          value: values.find(({ isYes }) => isYes === value),
        }));

  async function toggle({ body, value }: Choice): Promise<void> {
    await act.run(() => (value ? anyStore().delete(`${path}/${value.id}`) : anyStore().post(path, body)));
    await refetch();
    await onParts();
  }

  if (choices.length === 0) return <Typography color="textSecondary">{translate('products.noOptions')}</Typography>;
  return (
    <Stack>
      {choices.map((choice) => (
        <Box key={choice.label} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
          <FormControlLabel
            sx={{ minWidth: 180 }}
            control={<Checkbox size="small" checked={choice.value !== undefined} disabled={!mayWrite || act.isBusy} />}
            label={choice.label}
            onChange={() => void toggle(choice)}
          />
          {choice.value && (
            <Modifier
              path={`${path}/${choice.value.id}`}
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

function Modifier({
  path,
  value,
  label,
  onDone,
}: {
  path: string;
  value: Value;
  label: string;
  onDone(): Promise<void>;
}) {
  const translate = useTranslate();
  const act = useAct();
  const mayWrite = useMayWrite();
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
      <Typography variant="body2" color="textSecondary">
        {translate('products.modifier')}
      </Typography>
      <NumberCell
        path={path}
        parameters={{}}
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
          await act.run(() => anyStore().patch(path, { price_modifier_type: target.value }));
          await onDone();
        }}
      >
        <MenuItem value="percent">%</MenuItem>
        <MenuItem value="absolute">{translate('products.absolute')}</MenuItem>
      </TextField>
    </Stack>
  );
}
