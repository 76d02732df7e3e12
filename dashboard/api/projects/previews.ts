import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { PREVIEWS_MAX } from '../../../contract/projects/list-options.ts'
import type { Project } from '../projects.ts'
import { projectsApi } from './projects-api.ts'

export type Preview = OutputOf<Contract['projectPreviews']['list']>['items'][number]
export type PreviewShape = Preview['shapes'][number]

/** Long enough for all rows that appear together. */
const COLLECT_MS = 10
const STALE_MS = 60_000

/** The preview of a project; loaded again after its canvas has changed. */
export const previewQuery = ({ id, lastActivityAt }: Pick<Project, 'id' | 'lastActivityAt'>) =>
  queryOptions({
    queryKey: ['previews', id, lastActivityAt],
    queryFn: () => loadPreview(id),
    staleTime: STALE_MS,
    retry: false,
  })

interface PendingPreview {
  id: string
  resolve: (preview: Preview | null) => void
  reject: (error: unknown) => void
}

let pendingPreviews: PendingPreview[] = []

/** Collects the ids that rows request one by one, and loads many previews with one request. */
const loadPreview = (id: string): Promise<Preview | null> =>
  new Promise((resolve, reject) => {
    if (pendingPreviews.length === 0) setTimeout(loadPendingPreviews, COLLECT_MS)
    pendingPreviews.push({ id, resolve, reject })
  })

function loadPendingPreviews() {
  const all = pendingPreviews
  pendingPreviews = []
  for (let start = 0; start < all.length; start += PREVIEWS_MAX) {
    const batch = all.slice(start, start + PREVIEWS_MAX)
    projectsApi.projectPreviews
      .list({ ids: batch.map(({ id }) => id).join(',') })
      .then(({ items }) => {
        const byId = new Map(items.map((preview) => [preview.projectId, preview]))
        for (const { id, resolve } of batch) resolve(byId.get(id) ?? null)
      })
      .catch((error: unknown) => {
        for (const { reject } of batch) reject(error)
      })
  }
}
