/** The roles of a person. Roles with rights that the session lacks cannot be given. */
import { Box, Checkbox, FormControlLabel, FormHelperText, Typography } from '@mui/material';
import { useInput, useTranslate } from 'react-admin';
import { type RoleChoice, useRoleChoices, useRoleName } from './roles.ts';

export function RoleInput({ source }: { source: string }) {
  const translate = useTranslate();
  const { field, fieldState } = useInput({ source });
  const choices = useRoleChoices();
  const chosen = (field.value ?? []) as readonly number[];
  const toggle = (id: number, isOn: boolean): void =>
    field.onChange((isOn ? [...chosen, id] : chosen.filter((other) => other !== id)).sort((one, other) => one - other));
  return (
    <Box component="fieldset" sx={{ border: 1, borderColor: 'divider', borderRadius: 1, my: 1, minWidth: 0 }}>
      <Typography component="legend" variant="body2">
        {translate('staff.tab.roles')}
      </Typography>
      {choices.map((choice) => (
        <RoleBox
          key={choice.id}
          choice={choice}
          isChosen={chosen.includes(choice.id)}
          onToggle={(isOn) => toggle(choice.id, isOn)}
        />
      ))}
      <FormHelperText error={fieldState.invalid}>
        {translate(fieldState.invalid ? 'staff.chooseRole' : 'staff.rolesHelp')}
      </FormHelperText>
    </Box>
  );
}

interface BoxProps {
  readonly choice: RoleChoice;
  readonly isChosen: boolean;
  onToggle(isOn: boolean): void;
}

function RoleBox({ choice: { id, role, mayGive }, isChosen, onToggle }: BoxProps) {
  const translate = useTranslate();
  const name = useRoleName()(id);
  const isPreset = role?.preset ?? true;
  return (
    <FormControlLabel
      sx={{ display: 'flex', alignItems: 'flex-start', my: 0.5 }}
      control={
        <Checkbox
          size="small"
          checked={isChosen}
          disabled={!mayGive}
          onChange={({ target }) => onToggle(target.checked)}
          sx={{ py: 0.25 }}
        />
      }
      label={
        <>
          {name}
          {isPreset && (
            <Typography variant="body2" color="textSecondary" component="span" sx={{ display: 'block' }}>
              {translate(`staff.presetHelp.${id}`)}
            </Typography>
          )}
        </>
      }
    />
  );
}
