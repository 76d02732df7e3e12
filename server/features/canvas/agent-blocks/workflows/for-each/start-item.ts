import type { OutputSchema } from '../../../../../../contract/agents/output-rules.ts'
import type { Context } from '../../../../../context.ts'
import { newId } from '../../../../../security/ids.ts'
import { deriveTitle } from '../../../../agents/chat/chat.ts'
import { insertSession } from '../../../../agents/conversations/conversations.ts'
import type { EngineRun, requireRunnableAgent } from '../../../../agents/runs/runs.ts'
import type { BlockInput } from '../../compose-message.ts'
import { startInSession } from '../../start-run.ts'
import type { ForEach } from '../../steps.ts'
import { readItemText } from './item-text.ts'
import { endItem, type ListRow, type QueuedItem, startItem } from './list-queries.ts'

export interface ItemStart {
  run: EngineRun
  agent: Awaited<ReturnType<typeof requireRunnableAgent>>
  block: {
    id: string
    name: string
    instructions: string
    outputSchema: OutputSchema | null
    isCode: boolean
  }
  inputs: BlockInput[]
  over: ForEach['over']
  list: Pick<ListRow, 'id' | 'total' | 'isData'>
}

/** In a conversation of its own, which lists omit. */
export async function startItemRun(
  ctx: Context,
  { run, agent, block, inputs, over, list }: ItemStart,
  { n, label, value }: QueuedItem,
): Promise<void> {
  const { orgId, projectId } = run
  const now = ctx.now()
  const read = await readItemText(ctx, run, over, value)
  if (!read) {
    const error = over.from === 'rows' ? 'The row no longer exists' : 'The file no longer exists'
    const end = {
      n,
      state: 'failed',
      output: null,
      error,
      cost: '0',
      runId: null,
      isUntrusted: false,
      now,
    } as const
    await endItem(ctx.sql, orgId, list.id, end)
    return
  }
  const [sessionId, title] = [newId(), deriveTitle(`${label} · ${block.name}`)]
  await insertSession(ctx.sql, orgId, {
    id: sessionId,
    projectId,
    agentId: agent.id,
    title,
    origin: 'api',
    parentRunId: run.id,
    createdBy: run.createdBy,
    now,
  })
  const item = { data: read.data, n, total: list.total, text: read.text, isData: list.isData || read.isData }
  const { runId } = await startInSession(ctx, {
    message: { instructions: block.instructions, outputSchema: block.outputSchema, inputs, item },
    isCode: block.isCode,
    run: {
      projectId,
      sessionId,
      agent,
      trigger: run.trigger === 'schedule' ? 'schedule' : 'block',
      title,
      instructionsOf: block.id,
      isBulk: true,
      parent: { run, step: null, ordinal: null },
    },
  })
  await startItem(ctx.sql, orgId, list.id, { n, runId, now })
}
