/** After an update of the store, scripts of the old version no longer exist. Reloads the page when one cannot be loaded. */

/** The session storage key of the time of the last reload. */
const RELOADED_AT = 'reloaded-at';

/** A script that is also missing from the new version causes no second reload within this time. */
const RELOAD_INTERVAL_MS = 60_000;

export function reloadAfterUpdate(): void {
  addEventListener('vite:preloadError', () => void reload());
}

async function reload(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < RELOAD_INTERVAL_MS) return;
  sessionStorage.setItem(RELOADED_AT, `${Date.now()}`);
  // If the store does not respond, a reload would replace the page with an error of the browser.
  const response = await fetch('/admin', { headers: { Accept: 'text/html' } }).catch(() => undefined);
  if (response?.ok) location.reload();
  else sessionStorage.removeItem(RELOADED_AT);
}
