/** What the server needs of an OpenID Connect provider. The adapter implements it. */
import type { IdentityKey } from '../../store/users/identities.ts';
import type { proofOf } from '../../store/users/provider-sign-in.ts';

type Proof = ReturnType<typeof proofOf>;

export interface ProviderFailure {
  readonly failure: 'denied' | 'unavailable' | 'invalid';
  /** For the log, without secrets. */
  readonly reason: string;
}

export interface ProvenIdentity extends IdentityKey {
  /** Seconds since the sign-in at the provider, if the provider reports it. */
  readonly ageSeconds: number | undefined;
  readEmail(): Promise<{ readonly email: string; readonly isVerified: boolean } | undefined | ProviderFailure>;
}

export interface IdentityProvider {
  /** @param isAgain even if the person is signed in there. @returns the address at which the person signs in */
  begin(proof: Proof, isAgain: boolean): Promise<string | ProviderFailure>;
  /** @param query of the address to which the provider has returned the browser */
  finish(query: string, proof: Proof): Promise<ProvenIdentity | ProviderFailure>;
}
