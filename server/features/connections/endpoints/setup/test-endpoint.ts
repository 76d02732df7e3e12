import { ENDPOINT_PAUSES } from '../../../../../contract/connections/connector-endpoint-options.ts'
import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, notFound, raise } from '../../../../errors.ts'
import { openConnection } from '../../connections/connections.ts'
import { callbackBase } from '../callback-url.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import { findEndpointRow } from '../queries.ts'
import { readEndpoint } from '../view/read-endpoints.ts'
import { register } from './register.ts'

interface Check {
  name: string
  ok: boolean
  message: string
}

/** Registers again, which repairs a hook deleted at the provider. */
export async function testEndpoint(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  { id }: InputOf<typeof connectorEndpoints.test>,
) {
  const view = await readEndpoint(options, ctx, id)
  const row = (await findEndpointRow(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Endpoint'))
  const attempt = async (name: string, success: string, work: () => unknown): Promise<Check> => {
    try {
      await work()
      return { name, ok: true, message: success }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { name, ok: false, message: error.message }
    }
  }
  const override = options.connectors[row.slug]?.url ?? null
  const base = () => callbackBase(ctx, { publicUrl: options.publicUrl, override })
  const url = await attempt('url', 'The URL is public', base)
  const connection = await attempt('connection', 'The connection works', () =>
    openConnection(connectionDeps(options, ctx), row.orgId, row.connectionId),
  )
  const registration =
    row.registration === 'by_hand' || !url.ok || !connection.ok || !view.canEdit
      ? []
      : [await checkRegistration(options, ctx, row, base())]
  // The registration may have returned the secret.
  const { hasProofSecret } = (await findEndpointRow(ctx.sql, row.orgId, row.id)) ?? row
  const checks: Check[] = [
    url,
    connection,
    ...registration,
    {
      name: 'secret',
      ok: hasProofSecret,
      message: hasProofSecret
        ? 'The secret is known'
        : 'The provider secret is missing: complete the setup there, and enter the secret if it shows one',
    },
    {
      name: 'agent',
      ok: view.held !== 'agent',
      message: view.held === 'agent' ? 'The agent is archived' : `${view.agentName} handles the events`,
    },
    {
      name: 'status',
      ok: view.status === 'active',
      message: view.pausedReason ? ENDPOINT_PAUSES[view.pausedReason] : 'The endpoint is active',
    },
    {
      name: 'received',
      ok: view.lastReceivedAt !== null,
      message: view.lastReceivedAt ? 'Events arrive' : 'No event has arrived yet',
    },
  ]
  return { ok: checks.every(({ ok }) => ok), checks }
}

async function checkRegistration(
  options: EndpointOptions,
  ctx: Context<'outbound' | 'vault'>,
  row: Parameters<typeof register>[2],
  base: string,
): Promise<Check> {
  const result = await register(options, ctx, row, base, 'test')
  return {
    name: 'registration',
    ok: result.ok,
    message: result.ok ? 'The provider has the URL' : result.error,
  }
}
