import { queryOptions } from '@tanstack/react-query'
import { counted } from '../../../contract/counted.ts'
import type { OutputOf, RequestOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { shortMessage } from '../../api/explain.ts'
import { modelListQuery } from '../../api/models.ts'
import { organizationApi, orgSettingsQuery } from '../../api/organizations.ts'
import { queryClient } from '../../api/query-client.ts'
import { voiceQuery } from '../../api/voice.ts'
import { withNames } from '../../components/name.tsx'
import { toast } from '../../components/toast.tsx'

export type OwnProvider = OutputOf<Contract['modelProviders']['list']>['items'][number]

export type LocalServer = OutputOf<Contract['modelProviders']['local']>['items'][number]
export type Trial = OutputOf<Contract['modelProviders']['tryOut']>

/** Admins only. */
export const providersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: ({ signal }) => organizationApi.modelProviders.list(undefined, { signal }),
})

/** Admins only. */
export const localServersQuery = queryOptions({
  queryKey: ['local-model-servers'],
  queryFn: ({ signal }) => organizationApi.modelProviders.local(undefined, { signal }),
  staleTime: 60_000,
  retry: false,
})

export const modelSettingsQuery = queryOptions({
  queryKey: ['model-settings'],
  queryFn: ({ signal }) => organizationApi.modelSettings.list(undefined, { signal }),
})

/** Also the model for agents without one, unless the organization has chosen it already. */
export async function connectProvider(
  settings: RequestOf<Contract['modelProviders']['create']>,
  { defaultModel, replacesDefault }: { defaultModel: string | null; replacesDefault?: boolean },
): Promise<OwnProvider> {
  const provider = await organizationApi.modelProviders.create(settings)
  if (defaultModel !== null) {
    const current = replacesDefault ? null : (await organizationApi.orgSettings.get()).defaultModel
    if (current === null) {
      const change = { defaultModel: `${provider.slug}/${defaultModel}` }
      queryClient.setQueryData(orgSettingsQuery.queryKey, await organizationApi.orgSettings.update(change))
    }
  }
  // The list of models reads the provider's, so the next page shows them.
  await organizationApi.modelProviders.test({ id: provider.id }).catch(() => {})
  await Promise.all([refreshModels(), queryClient.invalidateQueries({ queryKey: ['home'] })])
  return provider
}

export const refreshModels = () =>
  Promise.all(
    [providersQuery, modelListQuery, modelSettingsQuery, localServersQuery, voiceQuery].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

/** A failed test must not look as if the provider wasn't saved. */
export async function testSavedProvider({ id, name }: OwnProvider): Promise<void> {
  const { ok, problem, modelCount } = await organizationApi.modelProviders
    .test({ id })
    .catch((error: unknown) => ({
      ok: false,
      problem: shortMessage(error),
      modelCount: 0,
    }))
  await refreshModels()
  const models = counted(modelCount, 'model')
  toast(
    ok
      ? withNames`Saved ${name} with ${models}`
      : withNames`${name} was saved, but its test failed: ${problem}`,
  )
}
