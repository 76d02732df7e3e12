import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { phoneNumbers } from '../../../../contract/telephony/phone-numbers.ts'
import { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { PhoneNumber } from '../../../../contract/telephony/telephony-records.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { notFound, raise } from '../../../errors.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { findNumberView, listNumbers, type NumberView } from './queries.ts'
import { compareWebhooks, shownBase } from './webhooks.ts'

export const readNumber = async (options: TelephonyOptions, ctx: Context, id: string) =>
  presentNumber(
    shownBase(options, ctx),
    (await findNumberView(ctx.sql, ctx.caller, id)) ?? raise(notFound('Phone number')),
  )

export async function readNumbers(
  options: TelephonyOptions,
  ctx: Context<'vault'>,
  { limit, cursor }: InputOf<typeof phoneNumbers.list>,
) {
  const list = `phone numbers ${ctx.caller.orgId} ${ctx.caller.userId}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listNumbers(ctx.sql, ctx.caller, { before, limit: limit + 1 })
  const base = shownBase(options, ctx)
  return cursorPage(ctx.vault, list, limit, rows, (row) => presentNumber(base, row))
}

export const presentNumber = (base: string, row: NumberView): z.output<typeof PhoneNumber> => ({
  id: row.id,
  e164: row.e164,
  provider: row.provider,
  connectionId: row.connectionId,
  label: row.label,
  capabilities: row.capabilities,
  status: row.status,
  statusReason: row.statusReason,
  webhooks: compareWebhooks(base, row),
  projectId: row.projectId,
  projectName: row.projectName,
  owner: { id: row.ownerId, name: row.ownerName },
  settings: NumberSettings.parse(row.settings),
  checkedAt: row.checkedAt,
  createdAt: row.createdAt,
})
