/** A button that says why its action is not possible. It then stays reachable by keyboard and touch, without effect. */
import { Button, type ButtonProps, Tooltip } from '@mui/material';

interface Props extends Pick<ButtonProps, 'variant' | 'color' | 'children'> {
  /** Why the action is not possible; undefined if it is. */
  readonly reason: string | undefined;
  onClick(): void;
}

const SHOWN_MS = 8_000;

export function ExplainedButton({ reason, onClick, color, ...props }: Props) {
  if (reason === undefined) return <Button {...props} color={color} onClick={onClick} />;
  return (
    <Tooltip title={reason} describeChild enterTouchDelay={0} leaveTouchDelay={SHOWN_MS}>
      <Button
        {...props}
        color="inherit"
        aria-disabled
        disableRipple
        sx={{ color: 'text.disabled', borderColor: 'action.disabledBackground', cursor: 'not-allowed' }}
      />
    </Tooltip>
  );
}
