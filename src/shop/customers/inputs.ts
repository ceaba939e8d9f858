/** The bodies of shoppers' requests, as declared members (storefront.md §3). */
import { LOGIN_CART, TRANSPORT } from '../../domain/rules/customers/shopper-inputs.ts';
import type { Field, Model, ModelSecretCheck } from '../../engine/index.ts';

export type Transport = 'bearer' | 'cookie';

type Input = Readonly<Record<string, Field>>;

/** The check of a customer's login and password. */
export function customerCheck({ resources }: Model): ModelSecretCheck {
  return resources.get('Profile')!.secretCheck!;
}

/** Members of every request that begins a session, besides the proof of identity. */
export const SESSION_INPUT: Input = { transport: TRANSPORT, cart: LOGIN_CART };

export function loginInput(model: Model): Input {
  return { ...customerCheck(model).input, ...SESSION_INPUT };
}

/** The customer's current password, of requests that need it once more. */
export function currentInput(model: Model): Input {
  return { current: customerCheck(model).input.password! };
}

export function passwordInput(model: Model): Input {
  return { ...currentInput(model), password: customerCheck(model).input.password! };
}

/** What customers can change with PATCH. */
export function customerInput({ resources }: Model): Input {
  return { language: resources.get('Profile')!.fields.get('language')!.field };
}
