import lines from 'virtual:skill-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'

/** Routes load with their pages. */
export const skillApi = signedInApi<LateContract<'skill'>>(lines)

export type Skill = OutputOf<Contract['skills']['get']>
export type SkillSummary = OutputOf<Contract['skills']['list']>['items'][number]
export type SkillVersion = OutputOf<Contract['skills']['versions']>['items'][number]
export type SkillPreview = OutputOf<Contract['skills']['preview']>

const PAGE_SIZE = 50
const CHOICES_MAX = 100

export const skillsQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['skills', 'list', q] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      skillApi.skills.list({ q, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const skillChoicesQuery = queryOptions({
  queryKey: ['skills', 'choices'],
  queryFn: async ({ signal }) => (await skillApi.skills.list({ limit: CHOICES_MAX }, { signal })).items,
})

export const skillQuery = (id: string) =>
  queryOptions({
    queryKey: ['skills', 'item', id],
    queryFn: ({ signal }) => skillApi.skills.get({ id }, { signal }),
  })

export const skillFileQuery = (id: string, version: number, path: string) =>
  queryOptions({
    queryKey: ['skills', 'file', id, version, path],
    queryFn: ({ signal }) => skillApi.skills.file({ id, path }, { signal }),
  })

export const skillVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['skills', 'versions', id],
    queryFn: ({ signal }) => skillApi.skills.versions({ id, limit: 20 }, { signal }),
  })

export const refreshSkills = () =>
  Promise.all([['skills'], ['agents']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
