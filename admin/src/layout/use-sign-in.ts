/** Signs in on the login page, and shows the page in the language of the account. */
import { useLocaleState, useLogin } from 'react-admin';
import { accountLanguage, type Credentials } from '../api/auth-provider.ts';

/** @returns a function that rejects with what the store rejects */
export function useSignIn(): (credentials: Credentials) => Promise<void> {
  const login = useLogin();
  const [, setLocale] = useLocaleState();
  return async (credentials) => {
    await login(credentials);
    const language = await accountLanguage().catch(() => undefined);
    if (language !== undefined) setLocale(language);
  };
}
