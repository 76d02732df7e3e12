import { connections } from '../../../contract/connections/connections.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { parseResponse, type Connection as Server } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { sanitize } from '../../terminal.ts'

export type Connection = OutputOf<typeof connections.get>

export const listAll = async ({ server, client }: Server, shared = false): Promise<Connection[]> =>
  (await parseResponse(server, connections.list, client.connections.list(shared ? { shared: 'true' } : {})))
    .items

/** Finds a connection by its id, or by its label, connector or account if only one connection matches. */
export async function findConnection(api: Server, ref: string): Promise<Connection> {
  const items = await listAll(api, true)
  const found = items.filter((each) => namesOf(each).includes(ref))
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Connection ${ref} not found`,
      'Run `npx atrium connections ls --shared` to list connections.',
    )
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} connections match ${ref}: use an id`, `Ids: ${ids}`)
}

const namesOf = ({ id, label, connectorSlug, connector, account }: Connection) => [
  id,
  label,
  connectorSlug,
  connector.name,
  account?.name,
  account?.email,
]

/** The account's display name. Null if the credentials name none, such as an API key that may only send. */
export const accountOf = ({ account }: Pick<Connection, 'account'>) =>
  account?.name ?? account?.email ?? account?.id ?? null

/** ` as <account>`, or nothing for a connection without an account. */
export function accountSuffix(connection: Pick<Connection, 'account'>): string {
  const account = accountOf(connection)
  return account === null ? '' : ` as ${sanitize(account)}`
}

/** `GitHub (Work)` */
export const nameOf = ({ connector, label }: Connection) =>
  label ? `${connector.name} (${label})` : connector.name
