import type { forEach } from '../../../../../../contract/canvas/for-each.ts'
import type { InputOf } from '../../../../../../contract/endpoint.ts'
import type { Context } from '../../../../../context.ts'
import { badField } from '../../../../../errors.ts'
import type { ModelChoices } from '../../../../../language-models/models.ts'
import { requireSchema } from '../../../../../language-models/structured-output/require-schema.ts'
import { newId } from '../../../../../security/ids.ts'
import { deriveTitle } from '../../../../agents/chat/chat.ts'
import { presentAgentRun, requireRunnableAgent } from '../../../../agents/runs/runs.ts'
import { findProject } from '../../../../projects/projects/projects.ts'
import { requireResultColumns } from '../../../../projects/tables/tables.ts'
import { findBlockAgent } from '../../start-run.ts'
import type { ForEach } from '../../steps.ts'
import { insertWorkflow, NOT_STARTED } from '../workflows.ts'

async function checkOver(ctx: Context, projectId: string, over: ForEach['over'], field: string) {
  if (over.from !== 'rows') return
  const { tableId, results } = over
  await requireResultColumns(ctx, projectId, { tableId, columns: Object.keys(results) }, `${field}.results`)
}

/** A workflow of one block, which isn't on the canvas. */
export const startForEach = (
  models: ModelChoices,
  ctx: Context<'quotas'>,
  { projectId, instructions, agentId, title, outputSchema, ...settings }: InputOf<typeof forEach.start>,
) =>
  ctx.transaction(async (inside) => {
    const project = await findProject(inside, projectId, 'edit')
    if (settings.over.from === 'output')
      throw badField('body.over.from', 'must not be output: no block is upstream')
    await checkOver(inside, project.id, settings.over, 'body.over')
    const chosen = agentId ?? (await findBlockAgent(inside, { metadata: {} }))
    const agent = await requireRunnableAgent(inside, models, chosen)
    const node = {
      blockId: newId(),
      n: 0,
      title: title ?? null,
      instructions,
      outputSchema: requireSchema('body.outputSchema', outputSchema ?? null),
      agentId: agent.id,
      inputs: [],
      incoming: [],
      step: null,
      isCode: false,
      forEach: settings,
      ...NOT_STARTED,
    }
    const id = await insertWorkflow(models, inside, project, [node], {
      title: deriveTitle(title ?? instructions),
    })
    return { run: await presentAgentRun(inside, id) }
  })
