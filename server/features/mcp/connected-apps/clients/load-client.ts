import type { PublicContext } from '../../../../context.ts'
import { refusal } from '../oauth-refusal.ts'
import { type Client, isClientUrl } from './client.ts'
import type { ClientDocuments } from './client-document.ts'
import { findClient } from './client-queries.ts'

export async function loadClient(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'outbound'>,
  documents: ClientDocuments,
  id: string,
): Promise<Client> {
  if (isClientUrl(id)) return documents(ctx.outbound, id, ctx.now())
  const row = await findClient(ctx.sql, id, ctx.now())
  if (!row) {
    throw refusal(
      'invalid_client',
      'The app is not registered here, or its registration was deleted after 30 days without use',
    )
  }
  return { id: row.id, name: row.name, host: null, redirectUris: row.redirectUris }
}
