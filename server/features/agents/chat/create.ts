import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { requireSchema } from '../../../language-models/structured-output/require-schema.ts'
import { newId } from '../../../security/ids.ts'
import { requireModels } from '../../organizations/settings/settings.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { findAgent, findDefaultAgent } from '../agents/agents.ts'
import { findSession, insertSession, presentSession } from '../conversations/conversations.ts'
import { startRunWith } from './send.ts'

/** Sends the first message, if any. */
export const createSession = (models: ModelChoices, ctx: Context, input: InputOf<typeof sessions.create>) =>
  ctx.transaction(async (inside) => {
    const project = await findProject(inside, input.projectId, 'edit')
    const agentId = await agentOf(inside, input.agentId)
    if (input.model !== undefined) await requireModels(inside, [input.model])
    requireSchema('body.message.outputSchema', input.message?.outputSchema)
    const id = newId()
    const { userId } = ctx.caller
    await insertSession(inside.sql, ctx.caller.orgId, {
      id,
      projectId: project.id,
      agentId,
      model: input.model ?? null,
      title: input.title ?? null,
      origin: ctx.caller.via === 'session' ? 'chat' : 'api',
      createdBy: userId,
      now: ctx.now(),
    })
    await publish(inside, {
      type: 'session.created',
      data: { sessionId: id, projectId: project.id, agentId, by: userId },
    })
    const session = await findSession(inside, id)
    const messageAndRun = input.message
      ? await startRunWith(models, inside, session, input.message)
      : { message: null, run: null }
    return { ...presentSession(await findSession(inside, id)), ...messageAndRun }
  })

async function agentOf({ sql, caller }: Context, agentId: string | undefined): Promise<string> {
  if (agentId === undefined)
    return (
      (await findDefaultAgent(sql, caller.orgId))?.id ??
      raise(conflict('The organization has no agent: create one'))
    )
  return (
    (await findAgent(sql, caller.orgId, agentId))?.id ?? raise(badField('body.agentId', 'does not exist'))
  )
}
