/**
 * An OpenID Connect provider for tests: the package `oidc-provider`, with a sign-in form that accepts any account, and a way to
 * falsify its ID tokens.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error the package contains no types
import Provider from 'oidc-provider';

/** Claims of an account at the provider. */
export interface ProviderAccount {
  readonly email?: string;
  readonly email_verified?: boolean;
}

type Claims = Record<string, unknown>;

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Settings of a store that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly accounts: Map<string, ProviderAccount>;
  /** Changes the claims of the next ID tokens, which are signed again. */
  falsify: ((claims: Claims) => Claims) | undefined;
  /** Signs the next ID tokens with a key that the provider does not publish. */
  usesOtherKey: boolean;
  close(): Promise<void>;
}

/** @param redirectUri the address of the store to which it returns browsers */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const server = createServer();
  // Another site than a store at 127.0.0.1, so that browsers apply SameSite.
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['the-store', 'a secret of the client & more'];
  const accounts = new Map<string, ProviderAccount>();
  const [key, otherKey] = [newKey(), newKey()];
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: KEY_ID }] },
    cookies: { keys: ['a key for cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
    // Consent is given without a question.
    loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  const handle = provider.callback();
  const test: TestProvider = {
    ...{ issuer, clientId, clientSecret, accounts, falsify: undefined, usesOtherKey: false },
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/sign-in/')) return void handleForm(provider, request, response);
    if (request.url?.startsWith('/token')) rewriteTokens(test, response, key, otherKey);
    handle(request, response);
  });
  return test;
}

const KEY_ID = 'one';

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

async function handleForm(
  provider: { interactionFinished(...given: unknown[]): Promise<void> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html').end(FORM);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = new URLSearchParams(Buffer.concat(chunks).toString());
  const accountId = sent.get('account');
  const result = accountId ? { login: { accountId } } : { error: 'access_denied', error_description: 'Cancelled.' };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const FORM = `<!doctype html><title>Provider</title><form method="post"><label>Account <input name="account"></label>
<button>Continue</button></form>`;

/** Replaces the ID token in the response of the token endpoint. */
function rewriteTokens(
  test: Pick<TestProvider, 'falsify' | 'usesOtherKey'>,
  response: ServerResponse,
  key: ReturnType<typeof newKey>,
  otherKey: ReturnType<typeof newKey>,
): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body: string | Buffer) => {
    const sent = JSON.parse(body.toString()) as { id_token?: string };
    if (sent.id_token === undefined || (!test.falsify && !test.usesOtherKey)) return end(body.toString());
    const claims = JSON.parse(Buffer.from(sent.id_token.split('.')[1]!, 'base64url').toString()) as Claims;
    const signed = [{ alg: 'RS256', typ: 'JWT', kid: KEY_ID }, test.falsify?.(claims) ?? claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(signed), test.usesOtherKey ? otherKey : key).toString('base64url');
    const changed = JSON.stringify({ ...sent, id_token: `${signed}.${signature}` });
    response.setHeader('content-length', Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}

/** A browser at the provider, which remembers who is signed in there. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  /**
   * Opens an address of the provider, and sends the sign-in form if it appears.
   * @param account an empty one cancels
   * @returns the address of the store to which the provider returns the browser, and whether the form has appeared
   */
  async signIn(address: string, account = ''): Promise<{ readonly returned: URL; readonly wasAsked: boolean }> {
    const { origin } = new URL(address);
    let [next, wasAsked] = [address, false];
    for (let step = 0; step < 10; step += 1) {
      const isForm = new URL(next).pathname.startsWith('/sign-in/');
      wasAsked ||= isForm;
      const response = await fetch(next, {
        ...{ redirect: 'manual', method: isForm ? 'POST' : 'GET' },
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(isForm ? { body: new URLSearchParams({ account }) } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        if (value === '') this.#cookies.delete(name!);
        else this.#cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status} of the provider: ${await response.text()}`);
      next = new URL(location, next).href;
      if (new URL(next).origin !== origin) return { returned: new URL(next), wasAsked };
    }
    throw new Error('The provider does not return to the store.');
  }
}
