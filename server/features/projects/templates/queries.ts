import type { Sql } from '../../../database/database.ts'
import type { Shape } from '../../canvas/canvas/canvas.ts'
import type { TemplateCanvas } from './canvas-copy.ts'

export interface TemplateRow {
  id: string
  name: string
  description: string | null
  emoji: string | null
  prompt: string | null
  /** Null for templates older than this record, where the creator counts. */
  promptBy: string | null
  tags: string[]
  blockCount: number
  shapes: Shape[]
  createdBy: string
  creator: string
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql) => sql`
  t.id, t.name, t.description, t.emoji, t.prompt, t.prompt_by as "promptBy", t.tags, t.block_count as "blockCount", t.shapes,
  t.created_by as "createdBy", (select u.name from users u where u.id = t.created_by) as creator,
  t.created_at as "createdAt", t.updated_at as "updatedAt"`

/** Omits canvases. A limit bounds the number. */
export const listTemplates = (sql: Sql, orgId: string) => sql<TemplateRow[]>`
  select ${columns(sql)} from project_templates t where t.org_id = ${orgId} order by lower(t.name), t.id`

export async function findTemplate(sql: Sql, orgId: string, id: string): Promise<TemplateRow | null> {
  const [row] = await sql<TemplateRow[]>`
    select ${columns(sql)} from project_templates t where t.org_id = ${orgId} and t.id = ${id}`
  return row ?? null
}

export async function readTemplateCanvas(sql: Sql, orgId: string, id: string): Promise<TemplateCanvas> {
  const [row] = await sql<{ canvas: TemplateCanvas }[]>`
    select canvas from project_templates where org_id = ${orgId} and id = ${id}`
  return row!.canvas
}

interface TemplateContent {
  name: string
  description: string | null
  emoji: string | null
  prompt: string | null
  promptBy: string
  tags: string[]
  canvas: TemplateCanvas
  shapes: Shape[]
}

/** Returns the new count. */
export async function insertTemplate(
  sql: Sql,
  orgId: string,
  template: TemplateContent & { id: string; userId: string; now: Date },
): Promise<number> {
  const { id, userId, name, description, emoji, prompt, promptBy, tags, canvas, shapes, now } = template
  // Two concurrent calls would both count before the other is stored.
  await sql`select pg_advisory_xact_lock(hashtextextended('templates' || ${orgId}::text, 0))`
  await sql`
    insert into project_templates (org_id, id, name, description, emoji, prompt, prompt_by, tags, canvas, shapes, block_count,
      created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${name}, ${description}, ${emoji}, ${prompt}, ${promptBy}, ${tags}, ${sql.json(canvas as never)},
      ${sql.json(shapes as never)}, ${canvas.blocks.length}, ${userId}, ${now}, ${now})`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from project_templates where org_id = ${orgId}`
  return row!.count
}

export const updateTemplate = (
  sql: Sql,
  orgId: string,
  id: string,
  { name, description, now }: Pick<TemplateContent, 'name' | 'description'> & { now: Date },
) => sql`
  update project_templates set name = ${name}, description = ${description}, updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

export const updateTemplateContent = (
  sql: Sql,
  orgId: string,
  id: string,
  { emoji, prompt, promptBy, tags, canvas, shapes }: Omit<TemplateContent, 'name' | 'description'>,
) => sql`
  update project_templates set emoji = ${emoji}, prompt = ${prompt}, prompt_by = ${promptBy}, tags = ${tags},
    canvas = ${sql.json(canvas as never)}, shapes = ${sql.json(shapes as never)}, block_count = ${canvas.blocks.length}
  where org_id = ${orgId} and id = ${id}`

export const deleteTemplate = (sql: Sql, orgId: string, id: string) => sql`
  delete from project_templates where org_id = ${orgId} and id = ${id}`
