import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { TEMPLATES_MAX } from '../../../../contract/projects/list-options.ts'
import type { Template, templates } from '../../../../contract/projects/templates.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import { withoutUndefined } from '../../../endpoint/without-undefined.ts'
import { conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { isUuid, newId } from '../../../security/ids.ts'
import { toPreviewShapes } from '../../canvas/canvas/canvas.ts'
import { findProject } from '../projects/projects.ts'
import { extractTemplateCanvas } from './canvas-copy.ts'
import * as queries from './queries.ts'
import { SHIPPED, type ShippedTemplate } from './shipped/shipped.ts'

type TemplateRecord = z.output<typeof Template>

export async function listTemplates({ sql, caller }: Context) {
  const rows = await queries.listTemplates(sql, caller.orgId)
  return { items: [...rows.map((row) => present(row, caller)), ...SHIPPED.map(presentShipped)] }
}

/** Only callers who can edit a project may show its canvas to the whole organization. */
export const createTemplate = (
  ctx: Context,
  { projectId, ...given }: InputOf<typeof templates.create>,
): Promise<TemplateRecord> =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = inside.caller
    const { name, ...content } = await contentOf(inside, projectId)
    const template = { name, description: null, ...content, ...withoutUndefined(given) }
    const id = newId()
    const count = await queries.insertTemplate(inside.sql, orgId, { ...template, id, userId, now: ctx.now() })
    if (count > TEMPLATES_MAX)
      throw conflict(`An organization can have ${TEMPLATES_MAX} templates: delete one first`)
    await audit(inside, 'template.created', id, given)
    return present((await queries.findTemplate(inside.sql, orgId, id))!, inside.caller)
  })

export const updateTemplate = (
  ctx: Context,
  { id, projectId, ...change }: InputOf<typeof templates.update>,
): Promise<TemplateRecord> =>
  ctx.transaction(async (inside) => {
    const { orgId } = inside.caller
    const before = await findEditable(inside, id)
    const after = { ...before, ...withoutUndefined(change) }
    if (projectId !== undefined)
      await queries.updateTemplateContent(inside.sql, orgId, before.id, await contentOf(inside, projectId))
    await queries.updateTemplate(inside.sql, orgId, before.id, { ...after, now: ctx.now() })
    await audit(inside, 'template.updated', before.id, change)
    return present((await queries.findTemplate(inside.sql, orgId, before.id))!, inside.caller)
  })

export const deleteTemplate = (ctx: Context, { id }: InputOf<typeof templates.remove>) =>
  ctx.transaction(async (inside) => {
    const template = await findEditable(inside, id)
    await queries.deleteTemplate(inside.sql, inside.caller.orgId, template.id)
    await audit(inside, 'template.deleted', template.id)
    return { deleted: true as const }
  })

async function contentOf(ctx: Context, projectRef: string) {
  const project = await findProject(ctx, projectRef, 'edit')
  const canvas = await extractTemplateCanvas(ctx, project)
  const { name, emoji, prompt, promptBy, userId, tags } = project
  const shapes = toPreviewShapes(canvas.blocks)
  return { name, emoji, prompt, promptBy: promptBy ?? userId, tags, canvas, shapes }
}

export async function findOrgTemplate(
  { sql, caller }: Context,
  id: string,
): Promise<queries.TemplateRow | null> {
  return isUuid(id) ? queries.findTemplate(sql, caller.orgId, id) : null
}

async function findEditable(ctx: Context, id: string): Promise<queries.TemplateRow> {
  if (SHIPPED.some((template) => template.id === id))
    throw forbidden('A template that Atrium ships cannot be changed', { reason: 'shipped_template' })
  const template = (await findOrgTemplate(ctx, id)) ?? raise(notFound('Template'))
  if (canEdit(template, ctx.caller)) return template
  throw forbidden('Only this template’s creator, admins and owners can change it', {
    reason: 'not_creator',
  })
}

const canEdit = ({ createdBy }: queries.TemplateRow, { userId, role }: Caller) =>
  role !== 'member' || createdBy === userId

type Action = 'template.created' | 'template.updated' | 'template.deleted'

/** Only a name that the caller entered: the default is the project's, which may be private. */
const audit = (ctx: Context, action: Action, target: string, { name }: { name?: string | undefined } = {}) =>
  recordAudit(ctx, { action, by: ctx.caller, target, ...(name !== undefined && { details: { name } }) })

const present = (row: queries.TemplateRow, caller: Caller): TemplateRecord => ({
  id: row.id,
  source: 'organization',
  name: row.name,
  description: row.description,
  emoji: row.emoji,
  blockCount: row.blockCount,
  shapes: row.shapes,
  createdBy: { id: row.createdBy, name: row.creator },
  canEdit: canEdit(row, caller),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

const presentShipped = ({ id, name, description, emoji, canvas }: ShippedTemplate): TemplateRecord => ({
  id,
  source: 'shipped',
  name,
  description,
  emoji,
  blockCount: canvas.blocks.length,
  shapes: toPreviewShapes(canvas.blocks),
  createdBy: null,
  canEdit: false,
  createdAt: null,
  updatedAt: null,
})
