import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { conflict, forbidden } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import { requireModels } from '../../organizations/settings/settings.ts'
import {
  deleteSession,
  findSession,
  lockSession,
  presentSession,
  updateSession,
} from '../conversations/conversations.ts'
import { requestCancel } from '../runs/runs.ts'

/** A session with an active run can't end: the run would still add its answer. */
export const update = (
  ctx: Context,
  { id, title, model, status, knowledge }: InputOf<typeof sessions.update>,
) =>
  ctx.transaction(async (inside) => {
    const session = await findSession(inside, id, 'edit')
    const activeRunId = await lockSession(inside.sql, session.orgId, id)
    if (status === 'ended' && activeRunId !== null)
      throw conflict('A run in this session is active: cancel it first, or wait until it ends')
    if (model != null) await requireModels(inside, [model])
    await updateSession(inside.sql, session.orgId, id, { title, model, status, knowledge, now: ctx.now() })
    if (knowledge !== undefined && knowledge !== session.knowledge) {
      const action = knowledge ? 'agent-session.pinned' : 'agent-session.unpinned'
      await recordAudit(inside, { action, by: ctx.caller, target: id })
    }
    if (status === 'ended' && session.status === 'open')
      await publish(inside, {
        type: 'session.ended',
        data: { sessionId: id, projectId: session.projectId, by: ctx.caller.userId },
      })
    return presentSession(await findSession(inside, id))
  })

export const remove = (ctx: Context, { id }: InputOf<typeof sessions.remove>) =>
  ctx.transaction(async (inside) => {
    const session = await findSession(inside, id, 'edit')
    const { caller } = ctx
    if (session.createdBy !== caller.userId && caller.role === 'member')
      throw forbidden('Only the session’s creator and admins can delete it', { reason: 'role_required' })
    const activeRunId = await lockSession(inside.sql, session.orgId, id)
    if (activeRunId !== null) await requestCancel(inside, session.orgId, activeRunId)
    await deleteSession(inside.sql, session.orgId, id, ctx.now())
    await recordAudit(inside, { action: 'agent-session.deleted', by: caller, target: id })
    return { id, deleted: true as const }
  })

const TITLE_CHARACTERS = 80
const FENCE = /^(`{3,}|~{3,})/

/** The first line, cut at a word. After an opening fence, the first line of prose, else of the fence. */
export function deriveTitle(content: string): string {
  const { prose, fenced } = findFirstLines(content)
  const line = prose ?? fenced ?? content.trim()
  if (line.length <= TITLE_CHARACTERS) return line
  const cut = line.slice(0, TITLE_CHARACTERS).toWellFormed()
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_CHARACTERS / 2)).trimEnd()}…`
}

function findFirstLines(content: string): { prose: string | undefined; fenced: string | undefined } {
  let open: string | null = null
  let fenced: string | undefined
  for (const line of content.split('\n').map((each) => each.trim())) {
    const marker: string | undefined = FENCE.exec(line)?.[1]
    if (open === null && marker) open = marker
    // A closing fence is at least as long as its opening.
    else if (open !== null && marker === line && line.startsWith(open)) open = null
    else if (line !== '' && open === null) return { prose: line, fenced }
    else if (line !== '') fenced ??= line
  }
  return { prose: undefined, fenced }
}
