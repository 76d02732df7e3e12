import { MENTION } from '../../../../contract/comments/comment-options.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { home } from '../../../../contract/home/home.ts'
import { HOME_LIMITS } from '../../../../contract/home/home-options.ts'
import type { Context } from '../../../context.ts'
import type { RecentProject } from '../queries.ts'
import * as queries from './queries.ts'

type News = OutputOf<typeof home.read>['news'][number]
const PEOPLE_MAX = 3

export async function readNews(
  { sql, caller }: Context,
  projects: RecentProject[],
  since: string,
): Promise<News[]> {
  if (projects.length === 0) return []
  const byId = new Map(projects.map((project) => [project.id, project]))
  const ids = [...byId.keys()]
  const [runs, canvases, files, comments] = await Promise.all([
    queries.listEndedRuns(sql, caller, ids, since),
    queries.listCanvasChanges(sql, caller, ids, since),
    queries.listChangedFiles(sql, caller, ids, since),
    queries.listComments(sql, caller, ids, since),
  ])
  const nameOf = ({ projectId }: { projectId: string }) => {
    const { id, name } = byId.get(projectId)!
    return { id, name }
  }
  const item = (
    kind: News['kind'],
    row: Pick<News, 'title' | 'count' | 'at'> & { projectId: string; people: News['actors'] },
    overrides: Pick<News, 'path'> & Partial<News>,
  ): News => ({
    ...{ kind, project: nameOf(row), agentId: null, agentName: null, status: null },
    ...{ title: row.title, count: row.count, at: row.at },
    ...{ people: row.people.map(({ name }) => name), actors: row.people },
    ...overrides,
  })
  return [
    ...runs.map((row) =>
      item('runs', row, {
        ...{ path: runsPath(row), status: row.status },
        ...{ agentId: row.agentId, agentName: row.agentName },
      }),
    ),
    ...canvases.map((row) => item('canvas', row, { path: `/projects/${row.projectId}?panel=history` })),
    ...files.map((row) => item('files', row, { path: filesPath(row, byId.get(row.projectId)!) })),
    ...comments.map((row) =>
      item('comments', row, {
        path: commentPath(row),
        title: excerptOf(row),
        people: [...row.people.map(({ name }) => name), ...row.guests.map((name) => `${name} (guest)`)].slice(
          0,
          PEOPLE_MAX,
        ),
      }),
    ),
  ]
    .toSorted((left, right) => right.at.localeCompare(left.at))
    .slice(0, HOME_LIMITS.news)
}

const runsPath = ({ count, id, projectId, agentId, status }: queries.RunNews) =>
  count === 1 ? `/runs/${id}` : `/runs?state=${status}&project=${projectId}&agent=${agentId}`

const filesPath = ({ count, id }: { count: number; id: string }, { folderId }: RecentProject) =>
  count === 1 || folderId === null ? `/files?file=${id}` : `/files/${folderId}?sort=newest`

const commentPath = ({ targetType, targetId, projectId, threadId }: queries.CommentNews) =>
  targetType === 'run'
    ? `/runs/${targetId}?comment=${threadId}`
    : `/projects/${projectId}?block=${targetId}&comment=${threadId}`

const excerptOf = ({ title, mentioned }: queries.CommentNews): string =>
  (title ?? '')
    .replace(MENTION, (_, id: string) => {
      const person = mentioned?.find((each) => each.id === id.toLowerCase())
      return `@${person?.name ?? 'member'}`
    })
    .replace(/\s+/g, ' ')
    .toWellFormed()
