/** The areas of a zone: countries, or parts of one country. */
import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import {
  Autocomplete,
  Box,
  Button,
  createFilterOptions,
  FormControlLabel,
  IconButton,
  Radio,
  RadioGroup,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { useState } from 'react';
import { useInput, useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { isSame } from '../api/record-diff.ts';
import { TextListInput } from '../forms/text-list-input.tsx';
import { type Country, useCountries } from '../utils/countries.ts';
import { useViolationMessage } from '../utils/error-messages.ts';
import { EUROPEAN_UNION, isOnlyCountries, PLACES, type RejectedElements, type ZoneElement } from './zone-text.ts';

export const NO_PLACES = { states: [], zips: [], cities: [] };
const NEW_AREA: ZoneElement = { countries: [], ...NO_PLACES };

export function ZoneElementsInput({ rejected }: { rejected: RejectedElements | undefined }) {
  const { field } = useInput({ source: 'elements' });
  const { getValues, setValue } = useFormContext();
  const translate = useTranslate();
  const elements = field.value as readonly ZoneElement[];
  /** The areas to return to if someone chooses all addresses by mistake. */
  const [areas, setAreas] = useState<readonly ZoneElement[]>([NEW_AREA]);

  function change(next: readonly ZoneElement[]): void {
    if (next.length > 0) setAreas(next);
    field.onChange(next);
  }

  function addEuropeanUnion(): void {
    const others = elements.filter(({ countries }) => countries.length > 0);
    change([...others, { countries: EUROPEAN_UNION, ...NO_PLACES }]);
    if (getValues('name') === '') setValue('name', translate('zones.europeanUnion'), { shouldDirty: true });
  }

  return (
    <Box sx={{ mt: 1 }}>
      <Typography id="zone-contains" sx={{ fontWeight: 600 }}>
        {translate('zones.contains')}
      </Typography>
      <RadioGroup
        aria-labelledby="zone-contains"
        value={elements.length === 0 ? 'all' : 'areas'}
        onChange={(_event, choice) => field.onChange(choice === 'all' ? [] : areas)}
      >
        <FormControlLabel value="areas" control={<Radio size="small" />} label={translate('zones.theseAreas')} />
        <FormControlLabel value="all" control={<Radio size="small" />} label={translate('zones.everyAddress')} />
      </RadioGroup>
      {elements.map((element, at) => (
        <Area
          // biome-ignore lint/suspicious/noArrayIndexKey: areas have no identity
          key={at}
          number={at + 1}
          element={element}
          violations={rejected && isSame(rejected.elements[at], element) ? rejected.violations : []}
          onChange={(next) => change(elements.map((one, index) => (index === at ? next : one)))}
          onRemove={elements.length > 1 ? () => change(elements.filter((_one, index) => index !== at)) : undefined}
        />
      ))}
      {elements.length > 0 && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
          <Button size="small" startIcon={<AddIcon />} onClick={() => change([...elements, NEW_AREA])}>
            {translate('zones.addArea')}
          </Button>
          <Button size="small" startIcon={<AddIcon />} onClick={addEuropeanUnion}>
            {translate('zones.addEuropeanUnion')}
          </Button>
        </Stack>
      )}
    </Box>
  );
}

interface AreaProps {
  readonly number: number;
  readonly element: ZoneElement;
  readonly violations: RejectedElements['violations'];
  onChange(element: ZoneElement): void;
  readonly onRemove: (() => void) | undefined;
}

function Area({ number, element, violations, onChange, onRemove }: AreaProps) {
  const [isOpen, setOpen] = useState(!isOnlyCountries(element));
  const translate = useTranslate();
  const messageOf = useViolationMessage();
  const title = translate('zones.area', { number });

  /** The message of the first value of a list that the store rejected, with that value. */
  function errorOf(list: keyof ZoneElement): string | undefined {
    const path = `elements[${number - 1}].${list}`;
    const violation = violations.find(
      ({ propertyPath }) => propertyPath === path || propertyPath.startsWith(`${path}[`),
    );
    if (!violation) return undefined;
    const value = element[list][Number(/\[(\d+)\]$/.exec(violation.propertyPath.slice(path.length))?.[1])];
    return value === undefined ? messageOf(violation) : `${value}: ${messageOf(violation)}`;
  }

  const isPartPossible = element.countries.length === 1 || !isOnlyCountries(element);
  return (
    <Box
      component="fieldset"
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, mx: 0, my: 1, p: 1.5, minWidth: 0 }}
    >
      <Typography component="legend" variant="body2" color="textSecondary" sx={{ px: 0.5 }}>
        {title}
      </Typography>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <CountriesInput
          codes={element.countries}
          onChange={(countries) => onChange({ ...element, countries })}
          error={errorOf('countries')}
        />
        {onRemove && (
          <IconButton onClick={onRemove} aria-label={`${translate('button.remove')}: ${title}`} sx={{ mt: 0.5 }}>
            <DeleteIcon fontSize="small" />
          </IconButton>
        )}
      </Stack>
      {isPartPossible && (
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {translate('zones.onlyParts')}
        </Button>
      )}
      {isPartPossible && isOpen && (
        <>
          <Typography variant="body2" color="textSecondary">
            {translate('zones.onlyPartsHelp')}
          </Typography>
          {PLACES.map((list) => (
            <TextListInput
              key={list}
              label={translate(`zones.${list}`)}
              help={translate(`zones.${list}Help`)}
              values={element[list]}
              onChange={(values) => onChange({ ...element, [list]: values })}
              error={errorOf(list)}
            />
          ))}
        </>
      )}
    </Box>
  );
}

/** A code finds its country too. */
const filterCountries = createFilterOptions<Country>({ stringify: ({ code, name }) => `${name} ${code}` });

interface CountriesProps {
  readonly codes: readonly string[];
  onChange(codes: readonly string[]): void;
  readonly error: string | undefined;
}

function CountriesInput({ codes, onChange, error }: CountriesProps) {
  const countries = useCountries();
  const translate = useTranslate();
  return (
    <Autocomplete
      multiple
      fullWidth
      autoHighlight
      filterSelectedOptions
      disableCloseOnSelect
      options={countries}
      filterOptions={filterCountries}
      value={codes.map((code) => countries.find((country) => country.code === code) ?? { code, name: code })}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ code }) => code}
      isOptionEqualToValue={(one, other) => one.code === other.code}
      onChange={(_event, chosen) => onChange(chosen.map(({ code }) => code))}
      noOptionsText={translate('list.noMatch')}
      slotProps={{ chip: { size: 'small' } }}
      renderInput={(input) => (
        <TextField {...input} label={translate('zones.countries')} error={error !== undefined} helperText={error} />
      )}
    />
  );
}
