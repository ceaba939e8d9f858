/**
 * Signs people in at an OpenID Connect provider: authorization code flow with PKCE, `state` and `nonce`
 * (https://openid.net/specs/openid-connect-core-1_0.html). The provider's metadata is read at the first sign-in.
 */
import type * as Library from 'openid-client';
import { explainFailure, type ProviderFailure } from './failures.ts';
import { createProviderFetch } from './provider-fetch.ts';

interface ProviderSettings {
  /** The `iss` of the provider's ID tokens. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address to which the provider returns the browser. */
  readonly redirectUri: string;
}

/** Random texts that connect a response with its request. */
interface Proof {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

interface Identity {
  readonly issuer: string;
  /** Identifies the person at this issuer. */
  readonly subject: string;
  /** Seconds since the person signed in at the provider; undefined if the provider does not report it. */
  readonly ageSeconds: number | undefined;
  /** Returns the e-mail address, and whether the provider has verified it. */
  readEmail(): Promise<{ readonly email: string; readonly isVerified: boolean } | undefined | ProviderFailure>;
}

const SCOPES = 'openid email';
const REQUEST_SECONDS_MAX = 10;
const CLOCK_TOLERANCE_SECONDS = 30;

/** The provider may change its endpoints. Its keys are read again when a signature has an unknown one. */
const METADATA_MS = 3_600_000;

/** Subject identifiers have up to 255 ASCII characters (Core §2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

export function createIdentityProvider(settings: ProviderSettings) {
  const connect = cached(() => discover(settings));
  return {
    /**
     * Returns the address at which the person signs in.
     * @param isAgain the person must sign in, even if already signed in at the provider
     */
    async begin({ state, nonce, verifier }: Proof, isAgain: boolean): Promise<string | ProviderFailure> {
      return explained(async () => {
        const { library, config } = await connect();
        const { redirectUri: redirect_uri } = settings;
        const url = library.buildAuthorizationUrl(config, {
          ...{ redirect_uri, scope: SCOPES, state, nonce },
          ...{ code_challenge: await library.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
          ...(isAgain ? { prompt: 'login', max_age: '0' } : {}),
        });
        return url.href;
      });
    },

    /** Reads the provider's response. @param query of the address to which the browser has returned */
    async finish(query: string, { state, nonce, verifier }: Proof): Promise<Identity | ProviderFailure> {
      return explained(async () => {
        const { library, config } = await connect();
        const returned = new URL(settings.redirectUri);
        returned.search = query;
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await library.authorizationCodeGrant(config, returned, checks);
        return identityOf(tokens, settings, { library, config });
      });
    },
  };
}

interface Connection {
  readonly library: typeof Library;
  readonly config: Library.Configuration;
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Connection> {
  const library = await import('openid-client');
  const server = new URL(issuer);
  const basic = library.ClientSecretBasic(clientSecret);
  const post = library.ClientSecretPost(clientSecret);
  const authenticate: Library.ClientAuth = (as, ...rest) =>
    (as.token_endpoint_auth_methods_supported ?? [BASIC]).includes(BASIC) ? basic(as, ...rest) : post(as, ...rest);
  const config = await library.discovery(
    server,
    clientId,
    { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    authenticate,
    {
      timeout: REQUEST_SECONDS_MAX,
      [library.customFetch]: createProviderFetch(REQUEST_SECONDS_MAX),
      execute: [
        library.enableNonRepudiationChecks,
        // Settings allow this only on the same machine.
        ...(server.protocol === 'http:' ? [library.allowInsecureRequests] : []),
      ],
    },
  );
  return { library, config };
}

const BASIC = 'client_secret_basic';

async function identityOf(
  tokens: Awaited<ReturnType<typeof Library.authorizationCodeGrant>>,
  { issuer }: ProviderSettings,
  { library, config }: Connection,
): Promise<Identity | ProviderFailure> {
  const claims = tokens.claims()!;
  const { sub: subject, auth_time: signedInAt } = claims;
  // A provider of several organizations can announce an issuer for each.
  const isOwn = URL.canParse(claims.iss) && new URL(claims.iss).href === new URL(issuer).href;
  if (!isOwn || !SUBJECT.test(subject))
    return { failure: 'invalid', reason: 'The issuer or the subject of the ID token is not valid.' };
  const age = signedInAt === undefined ? undefined : Math.max(0, Math.floor(Date.now() / 1000 - signedInAt));
  return {
    ...{ issuer: new URL(claims.iss).href, subject, ageSeconds: age },
    readEmail: () =>
      explained(async () => {
        const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
        const { userinfo_endpoint: endpoint } = config.serverMetadata();
        // Many providers send these claims only at this endpoint (Core §5.4).
        const { email, email_verified: isVerified } =
          isComplete || endpoint === undefined
            ? claims
            : await library.fetchUserInfo(config, tokens.access_token, subject);
        return typeof email === 'string' ? { email, isVerified: isVerified === true } : undefined;
      }),
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T | ProviderFailure> {
  try {
    return await work();
  } catch (error) {
    return explainFailure(error);
  }
}

/** Repeats the work when its result is old, or it has failed. Concurrent callers share it. */
function cached<T>(work: () => Promise<T>): () => Promise<T> {
  let made: { readonly at: number; readonly result: Promise<T> } | undefined;
  return async () => {
    const now = performance.now();
    if (made && now - made.at < METADATA_MS) return made.result;
    const mine = { at: now, result: work() };
    made = mine;
    try {
      return await mine.result;
    } catch (error) {
      if (made === mine) made = undefined;
      throw error;
    }
  };
}
