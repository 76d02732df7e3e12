import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { queryClient } from '../query-client.ts'
import { projectsApi } from './projects-api.ts'

export type ProjectView = OutputOf<Contract['projectViews']['list']>['items'][number]
export type ViewSettings = ProjectView['settings']

/** The saved views of the user, and the shared ones. */
export const viewsQuery = queryOptions({
  queryKey: ['project-views'],
  queryFn: ({ signal }) => projectsApi.projectViews.list(undefined, { signal }),
})

export const refreshViews = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
