import { conflict, raise } from '../../../errors.ts'
import { openConnection } from '../../connections/connections/connections.ts'
import { type ConnectionTarget, findDefinition } from '../../connections/connectors/connectors.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { Carrier, CarrierAccount, CarrierContext } from './carrier.ts'
import { twilioCarrier } from './twilio.ts'

/** Throws CONFLICT if the credentials can't be used. */
export async function openCarrier(
  options: TelephonyOptions,
  ctx: CarrierContext,
  orgId: string,
  connectionId: string | null,
): Promise<Carrier> {
  const target = await openTarget(options, ctx, orgId, connectionId)
  return twilioCarrier({ options, ctx, orgId, connectionId, target })
}

export async function openAccount(
  options: TelephonyOptions,
  ctx: CarrierContext,
  orgId: string,
  connectionId: string | null,
): Promise<CarrierAccount> {
  const { credentials } = await openTarget(options, ctx, orgId, connectionId)
  const { accountSid = '', authToken = '' } = credentials
  // An empty key would verify every request signed with an empty key.
  if (accountSid === '' || authToken === '') throw conflict('The Twilio account has no auth token')
  return { provider: 'twilio', accountId: accountSid, secret: authToken, connectionId }
}

async function openTarget(
  options: TelephonyOptions,
  ctx: CarrierContext,
  orgId: string,
  connectionId: string | null,
): Promise<ConnectionTarget & { generation?: number }> {
  if (connectionId === null) return installationTarget(options, ctx, orgId)
  const deps = { ...ctx, connectors: options.connectors }
  const target = await openConnection(deps, orgId, connectionId)
  if (target.definition.slug !== 'twilio')
    throw conflict(`The connection is to ${target.definition.name}, not to Twilio`)
  return target
}

async function installationTarget(
  { accounts, connectors }: TelephonyOptions,
  { sql }: CarrierContext,
  orgId: string,
): Promise<ConnectionTarget> {
  const credentials =
    accounts.twilio ?? raise(conflict('This server has no Twilio account: connect one under Connections'))
  if (connectors.twilio?.isDisabled)
    throw conflict('Twilio is disabled: this server’s operator turned it off')
  const definition = (await findDefinition(sql, orgId, 'twilio'))!
  return {
    definition,
    config: {},
    kept: {},
    credentials: { ...credentials },
    account: { id: credentials.accountSid },
    override: connectors.twilio?.url ?? null,
  }
}
