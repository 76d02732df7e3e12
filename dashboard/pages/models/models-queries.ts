import { queryOptions } from '@tanstack/react-query'
import { counted } from '../../../contract/counted.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { shortMessage } from '../../api/explain.ts'
import { modelListQuery } from '../../api/models.ts'
import { organizationApi } from '../../api/organizations.ts'
import { queryClient } from '../../api/query-client.ts'
import { withNames } from '../../components/name.tsx'
import { toast } from '../../components/toast.tsx'

export type OwnProvider = OutputOf<Contract['modelProviders']['list']>['items'][number]

/** Admins only. */
export const providersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: ({ signal }) => organizationApi.modelProviders.list(undefined, { signal }),
})

export const refreshModels = () =>
  Promise.all(
    [providersQuery, modelListQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  )

/** A failed test must not look as if the provider wasn't saved. */
export async function testSavedProvider({ id, name }: OwnProvider, change: 'added' | 'saved'): Promise<void> {
  const { ok, problem, modelCount } = await organizationApi.modelProviders
    .test({ id })
    .catch((error: unknown) => ({
      ok: false,
      problem: shortMessage(error),
      modelCount: 0,
    }))
  await refreshModels()
  const models = counted(modelCount, 'model')
  if (ok)
    toast(
      change === 'added' ? withNames`Added ${name} with ${models}` : withNames`Saved ${name} with ${models}`,
    )
  else toast(withNames`${name} was saved, but its test failed: ${problem}`)
}
