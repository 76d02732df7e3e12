import type { PublicContext } from '../../../../context.ts'
import { sameSecretHash } from '../../../../security/digest.ts'
import { invalidClient, refusal } from '../oauth-refusal.ts'
import { isClientUrl } from './client.ts'
import { findClient } from './client-queries.ts'

/** The id of the client that calls the token or revocation endpoint, by its secret if it has one. */
export async function authenticateClient(
  ctx: PublicContext,
  input: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<string> {
  const basic = ctx.origin.client ?? null
  const isBasic = basic !== null
  const clientId = input.client_id
  if (basic && (input.client_secret !== undefined || (clientId !== undefined && clientId !== basic.id)))
    throw refusal('invalid_request', 'The client must authenticate by one method only')
  const id = basic?.id ?? clientId
  const secret = basic?.secret || input.client_secret
  if (!id) throw invalidClient('client_id is required', isBasic)
  if (isClientUrl(id)) {
    if (secret) throw invalidClient('A client whose id is a URL has no secret', isBasic)
    return id
  }
  const row = await findClient(ctx.sql, id, ctx.now())
  if (!row) throw invalidClient('The client is not known: register it again', isBasic)
  if (!isAuthentic(row.secretHash, secret))
    throw invalidClient('The client secret is missing, wrong or not expected', isBasic)
  return row.id
}

const isAuthentic = (hash: Buffer | null, secret: string | undefined): boolean =>
  hash === null ? !secret : secret !== undefined && sameSecretHash(secret, hash)
