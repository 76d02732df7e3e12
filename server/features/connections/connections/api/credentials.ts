import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { badRequest, conflict } from '../../../../errors.ts'
import { findDefinition, validateFields } from '../../connectors/connectors.ts'
import { establish } from '../establish.ts'
import { findOwn, recordOfOwn } from '../records.ts'

export const submitCredentials =
  (connectors: ConnectorsConfig) =>
  async (ctx: Context, { id, credentials: entered }: InputOf<typeof connections.submitCredentials>) => {
    const { orgId } = ctx.caller
    const { slug } = await findOwn(ctx, id)
    const definition = await findDefinition(ctx.sql, orgId, slug)
    if (!definition) throw conflict(`The connector ${slug} no longer exists`)
    const { auth, name } = definition
    if (auth.type !== 'api_key') throw badRequest(`${name} does not use credentials`)
    const credentials = validateFields(auth.fields, entered, 'body.credentials')
    await establish({ ...ctx, connectors }, orgId, { id, credentials })
    await recordAudit(ctx, {
      action: 'connection.established',
      by: ctx.caller,
      target: id,
      details: { name },
    })
    return recordOfOwn(ctx, id)
  }
