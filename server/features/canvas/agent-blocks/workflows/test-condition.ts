import type { agentBlocks } from '../../../../../contract/canvas/agent-blocks.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { notFound } from '../../../../errors.ts'
import type { Sandbox } from '../../../../sandbox/sandbox.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { type BlockRow, checkCondition, listBlocksById } from '../../canvas/canvas.ts'
import { evaluate } from './conditions.ts'
import { readRunOutput } from './outputs.ts'

const SHOWN_CHARACTERS = 2000

/** Not in a transaction: the sandbox takes turns. */
export const testCondition =
  (sandbox: () => Sandbox) =>
  async (ctx: Context, { projectId, blockId, condition }: InputOf<typeof agentBlocks.testCondition>) => {
    checkCondition(condition, 'body.condition')
    const { orgId, id } = await findProject(ctx, projectId, 'edit')
    const [block] = await listBlocksById(ctx.sql, orgId, id, [blockId])
    if (!block) throw notFound('Block')
    const output = await lastOutput(ctx, block)
    const shown = JSON.stringify(output, null, 2) ?? 'null'
    return {
      ...(await evaluate(sandbox(), orgId, condition, output)),
      output: shown.slice(0, SHOWN_CHARACTERS).toWellFormed(),
    }
  }

async function lastOutput({ sql, caller }: Context, { type, content, metadata }: BlockRow): Promise<unknown> {
  if (type !== 'agent') return content ?? ''
  const { output, outputRunId, outputIsData } = metadata
  if (outputIsData === true && typeof outputRunId === 'string')
    return readRunOutput(sql, caller.orgId, outputRunId)
  return parsed(output) ?? ''
}

/** Lists and forms are shown as JSON. */
function parsed(output: unknown): unknown {
  if (typeof output !== 'string' || !/^[[{]/.test(output)) return output
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}
