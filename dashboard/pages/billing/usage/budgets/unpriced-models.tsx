import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MODELS_PER_CHANGE_MAX } from '../../../../../contract/models/model-options.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { modelListQuery } from '../../../../api/models.ts'
import { organizationApi } from '../../../../api/organizations.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { toast } from '../../../../components/toast.tsx'

const NAMED_MAX = 4

/** The models that a budget refuses because their price is unknown, and two ways to change that. */
export function UnpricedModels() {
  const models = useQuery(modelListQuery)
  const unpriced = models.data?.items.filter(({ pricing }) => pricing === null).map(({ id }) => id) ?? []
  const countAsFree = useMutation({
    mutationFn: () =>
      organizationApi.modelSettings.put({
        models: unpriced.slice(0, MODELS_PER_CHANGE_MAX),
        pricing: { input: 0, output: 0, cacheRead: null },
        contextWindow: null,
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: modelListQuery.queryKey })
      toast('These models now count as free')
    },
  })
  if (unpriced.length === 0) return null
  const rest = unpriced.length - NAMED_MAX
  return (
    <div className="flex flex-col gap-8 rounded-panel border border-warning-line bg-warning-wash p-12 text-13">
      <p className="wrap-anywhere">
        A budget that pauses or stops refuses models without a price:{' '}
        <span className="font-mono text-12">{unpriced.slice(0, NAMED_MAX).join(', ')}</span>
        {rest > 0 && ` and ${rest} more`}
      </p>
      <FormFailure>{failureMessage(countAsFree.error)}</FormFailure>
      <div className="flex flex-wrap items-center gap-8">
        <Button size="small" busy={countAsFree.isPending} onClick={() => countAsFree.mutate()}>
          Count as free
        </Button>
        <Link to="/settings/organization/models" className="underline">
          Set prices
        </Link>
      </div>
    </div>
  )
}
