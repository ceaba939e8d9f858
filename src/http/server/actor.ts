/** Who sends a request, for the journal and the audit. */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../engine/index.ts';
import { identityOf } from '../../store/key-records.ts';
import type { ValidKey } from '../../store/keys.ts';
import type { CustomerActor } from '../../store/shoppers/accounts.ts';

/** @param key of the client, if the path is public */
export function actorOf(request: FastifyRequest, key?: ValidKey): Actor {
  const { requestContext, shopper, ip, id } = request;
  if (shopper) return customerActor(request, String(shopper.profile));
  return key ? new Client(key, key.name, ip, id) : new Client(requestContext.key, requestContext.keyName, ip, id);
}

/**
 * A customer. The audit could not erase the network address, because the hash of an entry covers it.
 * @param profile id; empty if only the unit finds out the customer and sets it
 */
export function customerActor({ requestContext, id }: FastifyRequest, profile: string): CustomerActor {
  return { type: 'customer', id: profile, keyName: requestContext.keyName, address: '', requestId: id };
}

/** A client that has failed to sign in. */
export function unknownClient({ ip, id }: FastifyRequest): Actor {
  return { type: 'user', id: '', keyName: '', address: ip, requestId: id };
}

/** The client of a request, as journal, order histories and audit name it. */
class Client implements Actor {
  readonly keyName: string;
  readonly address: string;
  readonly requestId: string;
  readonly #key: ValidKey;
  #identity: ReturnType<typeof identityOf> | undefined;

  constructor(key: ValidKey, keyName: string, address: string, requestId: string) {
    this.#key = key;
    this.keyName = keyName;
    this.address = address;
    this.requestId = requestId;
  }

  /** Only writes need it, and the id of a key is a hash. */
  get identity(): ReturnType<typeof identityOf> {
    this.#identity ??= identityOf(this.#key);
    return this.#identity;
  }

  get type(): string {
    return this.identity.type;
  }

  get id(): string {
    return String(this.identity.id);
  }
}
