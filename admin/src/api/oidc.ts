/**
 * Sign-in with OpenID Connect (access.md §3). The store returns the browser to `/admin#oidc=RESULT`. A confirmation takes place in a
 * window of its own, which passes the result on and closes.
 */

const RESULT = /^#oidc=([\w-]+)/;
const CHANNEL = 'purveyor-oidc';
const SIGNED_IN = 'signed-in';
const CONFIRMED = 'confirmed';
/** The response of the page that has opened the window. */
const RECEIVED = 'received';

/** Results with a message of their own. */
const EXPLAINED = [
  ...['expired', 'denied', 'unavailable', 'unknown', 'unverified', 'stale', 'untimed', 'other-user'],
  'invalid',
];

let problem: string | undefined;

/** Reads the result from the page's address, and removes it. @returns whether a session has begun */
export function readOidcResult(): boolean {
  const result = RESULT.exec(location.hash)?.[1];
  if (result === undefined) return false;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  if (result === SIGNED_IN) return true;
  if (result !== CONFIRMED) problem = messageOf(result);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === RECEIVED) close();
  };
  channel.postMessage(result);
  return false;
}

/** Returns why the sign-in failed, as the key of a message, until the next one. */
export const oidcProblem = (): string | undefined => problem;

export const OIDC_ADDRESS = '/admin/oidc';

/**
 * Opens the provider in a new window. Call it in a handler of a click, because browsers block other windows.
 * @returns the key of a message; undefined if the session is confirmed
 */
export function confirmAtProvider(stopped: AbortSignal): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const channel = new BroadcastChannel(CHANNEL);
  const end = (key: string | undefined): void => {
    channel.close();
    resolve(key);
  };
  channel.onmessage = ({ data }) => {
    channel.postMessage(RECEIVED);
    end(data === CONFIRMED ? undefined : messageOf(String(data)));
  };
  stopped.addEventListener('abort', () => end('session.oidc.denied'));
  open(`${OIDC_ADDRESS}/confirm`, '_blank', 'popup,width=520,height=720');
  return promise;
}

function messageOf(result: string): string {
  return `session.oidc.${EXPLAINED.includes(result) ? result : 'invalid'}`;
}
