import { Readable } from 'node:stream'
import { AGENT_LIMITS } from '../../../../contract/agents/agent-options.ts'
import type { agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import { sha256 } from '../../../security/digest.ts'
import { readImageHeader } from './image-header.ts'
import * as queries from './image-queries.ts'
import type { AgentRow } from './records.ts'
import { getAgent, lockForChange } from './update.ts'

const KEY_LENGTH = 16

export async function readImage(ctx: Context, { id, v, byteRequest }: InputOf<typeof agents.image>) {
  const { key, image } = (await queries.findImage(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Agent'))
  if (!image) throw notFound('Image')
  const headers = {
    'content-type': image.mimeType,
    'content-length': String(image.bytes.length),
    // A URL with the key always means these bytes; one without it means the current ones.
    'cache-control': v === key ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  }
  return reply(null, {
    bytes: { content: byteRequest.headOnly ? null : Readable.from([image.bytes]), headers },
  })
}

export async function setImage(ctx: Context, { id, image }: InputOf<typeof agents.setImage>) {
  const bytes = Buffer.from(image, 'base64')
  const mimeType = requireImage(bytes)
  const key = sha256(bytes).toString('hex').slice(0, KEY_LENGTH)
  return ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, { id })
    if (row.imageKey === key) return row
    await queries.upsertImage(inside.sql, inside.caller.orgId, { agentId: id, mimeType, bytes })
    return changeKey(inside, row, key)
  })
}

export const removeImage = (ctx: Context, { id }: InputOf<typeof agents.removeImage>) =>
  ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, { id })
    if (row.imageKey === null) return row
    await queries.deleteImage(inside.sql, inside.caller.orgId, id)
    return changeKey(inside, row, null)
  })

async function changeKey(ctx: Context, { id, version, settings }: AgentRow, key: string | null) {
  const { orgId, userId: by } = ctx.caller
  await queries.updateKey(ctx.sql, orgId, { agentId: id, key, now: ctx.now() })
  const data = { agentId: id, version, by, change: 'updated', fields: ['image'] }
  await publish(ctx, { type: 'agent.updated', data })
  const details = { name: settings.name, fields: 'image' }
  await recordAudit(ctx, { action: 'agent.updated', by: ctx.caller, target: id, details })
  return getAgent(ctx, { id })
}

/** The bytes are served as sent, so a small file that unpacks to a huge picture would slow every page it is on. */
function requireImage(bytes: Buffer) {
  const { imageBytes, imagePixels } = AGENT_LIMITS
  if (bytes.length > imageBytes) throw badField('body.image', `must be at most ${imageBytes / 1024} KB`)
  const header = readImageHeader(bytes) ?? raise(badField('body.image', 'must be a PNG, JPEG or WebP image'))
  if (Math.max(header.width, header.height) > imagePixels)
    throw badField('body.image', `must be at most ${imagePixels} pixels wide and high`)
  return header.mimeType
}
