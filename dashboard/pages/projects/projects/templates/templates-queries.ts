import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import { queryClient } from '../../../../api/query-client.ts'

export type Template = OutputOf<Contract['templates']['list']>['items'][number]

/** The organization's templates, then Atrium's. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => projectsApi.templates.list(undefined, { signal }),
})

export const refreshTemplates = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey })
