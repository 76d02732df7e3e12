import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { projectFiles } from '../../files/files/files.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { firstLine } from './titles.ts'

type Navigator = OutputOf<typeof projects.navigator>
type FileNode = Navigator['files'][number]

const TITLE_CHARACTERS_MAX = 80

export async function readNavigator(
  ctx: Context,
  input: InputOf<typeof projects.navigator>,
): Promise<Navigator> {
  const { orgId, id, name, slug, emoji } = await findProject(ctx, input.id)
  const [files, { blocks: rows, edges }] = await Promise.all([
    projectFiles.list(ctx.sql, orgId, id),
    listOutline(ctx.sql, orgId, id),
  ])
  const groups = rows.filter(({ type }) => type === 'group').map(presentBlock)
  const blocks = rows.filter(({ type }) => type !== 'group').map(presentBlock)
  const folders = files.filter(({ source }) => source === 'folder').length
  return {
    project: { id, name, slug, emoji },
    files: treeOf(files),
    canvas: { groups, blocks },
    counts: {
      files: files.length - folders,
      folders,
      groups: groups.length,
      blocks: blocks.length,
      edges,
    },
  }
}

function treeOf(files: projectFiles.ProjectFile[]): FileNode[] {
  const byParent = Map.groupBy(files, ({ parentId }) => parentId)
  const nodesIn = (folderId: string | null): FileNode[] =>
    (byParent.get(folderId) ?? []).map(({ id, name, mimeType, size, source }) => {
      const node = { id, name, mimeType, size, source }
      return source === 'folder' ? { ...node, children: nodesIn(id) } : node
    })
  return nodesIn(null)
}

const presentBlock = ({ id, type, parentId, title, excerpt }: OutlineRow) => ({
  id,
  type,
  title: title?.trim() || titleOf(excerpt),
  parentId,
})

function titleOf(content: string | null): string | null {
  const points = [...firstLine(content ?? '')]
  if (points.length === 0) return null
  if (points.length <= TITLE_CHARACTERS_MAX) return points.join('')
  return `${points
    .slice(0, TITLE_CHARACTERS_MAX - 1)
    .join('')
    .trimEnd()}…`
}

interface OutlineRow {
  id: string
  type: string
  parentId: string | null
  title: string | null
  excerpt: string | null
}

async function listOutline(sql: Sql, orgId: string, projectId: string) {
  const [blocks, [edges]] = await Promise.all([
    sql<OutlineRow[]>`
      select id, type, parent_id as "parentId", title, left(content, 200) as excerpt from blocks
      where org_id = ${orgId} and project_id = ${projectId} order by y, x, id`,
    sql<{ count: number }[]>`
      select count(*) from edges where org_id = ${orgId} and project_id = ${projectId}`,
  ])
  return { blocks, edges: edges!.count }
}
