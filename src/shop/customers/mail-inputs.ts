/** The bodies of requests that cause mails, or have a token from one (storefront.md §3). */
import { MAILED_TOKEN } from '../../domain/rules/customers/mail-inputs.ts';
import type { Field, Model } from '../../engine/index.ts';
import { currentInput, customerCheck, customerInput, SESSION_INPUT } from './inputs.ts';

type Input = Readonly<Record<string, Field>>;

export function registrationInput(model: Model): Input {
  return { ...customerCheck(model).input, ...customerInput(model) };
}

export function verificationInput(): Input {
  return { token: MAILED_TOKEN, ...SESSION_INPUT };
}

export function resetInput(model: Model): Input {
  return { login: customerCheck(model).input.login! };
}

export function newPasswordInput(model: Model): Input {
  return { token: MAILED_TOKEN, password: customerCheck(model).input.password! };
}

export function loginChangeInput(model: Model): Input {
  return { ...currentInput(model), ...resetInput(model) };
}

export function orderLinkInput({ resources }: Model): Input {
  const { fields } = resources.get('Order')!;
  const required = { required: true, nullable: false } as const;
  return {
    order_number: { ...fields.get('order_number')!.field, ...required },
    email: { ...fields.get('email')!.field, ...required },
  };
}
