/** Whether the store calculates the discounts and taxes of a new order, and what the buyer enters for that: coupons and a VAT ID. */
import { Alert, FormControlLabel, FormHelperText, Switch, TextField } from '@mui/material';
import { StoreProblem, type Violation } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { grants, type Scope } from '../../api/access.ts';
import { Section } from '../../components/section.tsx';
import { TextListInput } from '../../forms/text-list-input.tsx';
import { useViolationMessage } from '../../utils/error-messages.ts';
import { useAccess } from '../../utils/use-may.tsx';

/** The records that the calculation reads (docs/contract/access.md). */
const SCOPES: readonly Scope[] = [
  ...(['products:read', 'attributes:read', 'wholesale_prices:read', 'categories:read', 'sale_discounts:read'] as const),
  ...(['volume_discounts:read', 'coupons:read', 'zones:read', 'tax_settings:read', 'tax_rates:read'] as const),
  ...(['tax_classes:read', 'memberships:read', 'profiles:read', 'payment_statuses:read'] as const),
];

/** Whether the session may use the calculation. */
export function useMayCalculate(): boolean {
  const access = useAccess();
  return access !== undefined && SCOPES.every((scope) => grants(access, scope));
}

export interface Calculation {
  readonly coupons: readonly string[];
  readonly vatId: string;
}

interface Props extends Calculation {
  readonly isOn: boolean;
  /** A coupon makes the shipping free. */
  readonly isShippingFree: boolean;
  /** What the store rejects: the error of the quote. */
  readonly error: unknown;
  onSwitch(isOn: boolean): void;
  onChange(changed: Partial<Calculation>): void;
}

const ID = 'calculate-help';

export function CalculationInput({ isOn, isShippingFree, coupons, vatId, error, onSwitch, onChange }: Props) {
  const translate = useTranslate();
  const errors = useCalculationErrors(error, coupons);
  return (
    <Section title="orders.calculation">
      <FormControlLabel
        control={
          <Switch
            checked={isOn}
            onChange={(_event, checked) => onSwitch(checked)}
            slotProps={{ input: { 'aria-describedby': ID } }}
          />
        }
        label={translate('orders.calculate')}
      />
      <FormHelperText id={ID} sx={{ mt: 0, mx: 0 }}>
        {translate('orders.calculateHelp')}
      </FormHelperText>
      {isOn && (
        <>
          <TextListInput
            label={translate('orders.coupons')}
            help={translate('orders.couponsHelp')}
            values={coupons}
            onChange={(codes) => onChange({ coupons: withoutRepeated(codes) })}
            error={errors.coupons}
          />
          {isShippingFree && errors.coupons === undefined && (
            <Alert severity="info" sx={{ mb: 1 }}>
              {translate('orders.shippingFree')}
            </Alert>
          )}
          <TextField
            label={translate('field.vat_id')}
            value={vatId}
            onChange={({ target }) => onChange({ vatId: target.value })}
            error={errors.vatId !== undefined}
            helperText={errors.vatId ?? translate('orders.vatIdHelp')}
          />
        </>
      )}
    </Section>
  );
}

/** The case of a code does not matter. */
function withoutRepeated(codes: readonly string[]): readonly string[] {
  const upper = codes.map((code) => code.toUpperCase());
  return codes.filter((_code, index) => upper.indexOf(upper[index]!) === index);
}

const OF_COUPON = /^coupons\[(\d+)\]/;

function useCalculationErrors(error: unknown, coupons: readonly string[]) {
  const translate = useTranslate();
  const violationMessage = useViolationMessage();
  const violations = error instanceof StoreProblem ? error.violations : [];

  function couponMessage(violation: Violation): string {
    const code = coupons[Number(OF_COUPON.exec(violation.propertyPath)![1])] ?? '';
    if (violation.code === 'unknown_link') return translate('orders.couponUnknown', { code });
    // The message names the reason in parentheses (docs/contract/pricing.md §5).
    const reason = /\((\w+)\)/.exec(violation.message)?.[1];
    if (violation.code !== 'conflict' || reason === undefined) return violationMessage(violation);
    const text = reason === 'not_listed' ? 'orders.couponNotListed' : `tester.reason.${reason}`;
    return translate('orders.couponNotUsed', { code, reason: translate(text) });
  }

  const ofCoupons = violations.filter(({ propertyPath }) => OF_COUPON.test(propertyPath)).map(couponMessage);
  const ofVatId = violations.find(({ propertyPath }) => propertyPath === 'vat_id');
  return {
    coupons: ofCoupons.length > 0 ? ofCoupons.join(' ') : undefined,
    vatId: ofVatId && violationMessage(ofVatId),
  };
}

/** Whether the fields of the calculation show everything that is wrong. */
export function isShownAtFields(error: unknown): boolean {
  return (
    error instanceof StoreProblem &&
    error.violations.length > 0 &&
    error.violations.every(({ propertyPath }) => OF_COUPON.test(propertyPath) || propertyPath === 'vat_id')
  );
}
