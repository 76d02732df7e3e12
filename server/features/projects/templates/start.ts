import type { InputOf } from '../../../../contract/endpoint.ts'
import type { templates } from '../../../../contract/projects/templates.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import {
  createProject,
  lockProjectForRead,
  presentProject,
  publishProjectEvent,
} from '../projects/projects.ts'
import { extractTemplateCanvas, type TemplateCanvas, writeCopy } from './canvas-copy.ts'
import { findOrgTemplate } from './manage.ts'
import { readTemplateCanvas } from './queries.ts'
import { SHIPPED } from './shipped/shipped.ts'

type Input = InputOf<typeof templates.start>

export const startProject = (ctx: Context<'quotas'>, input: Input) =>
  ctx.transaction(async (inside) => {
    const { template, projectId } = input
    const source =
      projectId === undefined ? await fromTemplate(inside, template!) : await fromProject(inside, projectId)
    const { name = source.name, description = null, emoji = source.emoji, visibility } = input
    const { prompt, promptBy, tags } = source
    const project = await createProject(inside, {
      name,
      description,
      emoji,
      visibility,
      prompt,
      promptBy,
      tags,
      metadata: {},
    })
    await writeCopy(inside, project, source.canvas)
    await publishProjectEvent(inside, 'project.created', project, { from: projectId ? source.id : template })
    return presentProject(project)
  })

interface Source {
  id: string
  name: string
  emoji: string | null
  prompt: string | null
  /** Absent for shipped templates. */
  promptBy?: string | null
  tags: string[]
  canvas: TemplateCanvas
}

async function fromProject(ctx: Context, ref: string): Promise<Source> {
  const project = await lockProjectForRead(ctx, ref)
  return {
    ...project,
    promptBy: project.promptBy ?? project.userId,
    canvas: await extractTemplateCanvas(ctx, project),
  }
}

async function fromTemplate(ctx: Context, id: string): Promise<Source> {
  const shipped = SHIPPED.find((template) => template.id === id)
  if (shipped) return shipped
  const found = (await findOrgTemplate(ctx, id)) ?? raise(notFound('Template'))
  const canvas = await readTemplateCanvas(ctx.sql, ctx.caller.orgId, found.id)
  return { ...found, promptBy: found.promptBy ?? found.createdBy, canvas }
}
