import type { InputOf } from '../../../../contract/endpoint.ts'
import type { models as contract } from '../../../../contract/models/models.ts'
import type { Context } from '../../../context.ts'
import type { Models } from '../../../language-models/models.ts'

const HINT =
  'No model provider is configured. An admin can add one in Settings → Models, and the operator can set ATRIUM_OPENAI_API_KEY, ATRIUM_ANTHROPIC_API_KEY or ATRIUM_GOOGLE_API_KEY.'
const TEST_HINT = 'The test models test/echo and test/script work without a provider.'

type ModelList = Awaited<ReturnType<Models['list']>>

export const listModels =
  (models: Models) =>
  async ({ caller }: Context, { format }: InputOf<typeof contract.list>) => {
    const listed = await models.list(caller.orgId)
    return format === 'openai' ? openAiList(listed) : ownList(listed)
  }

function ownList({ models, providers }: ModelList) {
  const hints = models.some(({ isTest }) => isTest) ? [HINT, TEST_HINT] : [HINT]
  return {
    items: models,
    providers: providers.map(({ checkedAt, ...state }) => ({
      ...state,
      checkedAt: checkedAt?.toISOString() ?? null,
    })),
    hint: providers.length === 0 ? hints.join(' ') : null,
  }
}

/** Matches `GET https://api.openai.com/v1/models`. */
const openAiList = ({ models }: ModelList) => ({
  object: 'list' as const,
  data: models.map(({ id, created, provider }) => ({
    id,
    object: 'model' as const,
    created: Math.floor(created ?? 0),
    owned_by: provider,
  })),
})
